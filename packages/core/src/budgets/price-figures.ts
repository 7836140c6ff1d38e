import { err, ok, type Result } from "neverthrow";
import type { z } from "zod";
import { fromMinor, type Minor } from "../kernel/money.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { checkChoices, incompleteChoices } from "../pricing/choices.js";
import { type Deposit, depositOf } from "../pricing/deposit.js";
import { minorAmount } from "../pricing/given-totals.js";
import { furtherFigures, type PriceInput } from "../pricing/price.js";
import { isConfigurable, type OfferedLine } from "../pricing/selection.js";
import { checkLineTaxes } from "../pricing/tax-sets.js";
import type { Line, Steps, Taxation, Totals } from "../pricing/totals-parts.js";
import type { Budget } from "./budget.js";
import type { depositInput } from "./price-fields.js";

/** The figures of a budget as it stores them, without those of its lines. */
export type StoredFigures = Pick<
  Budget,
  "subtotal" | "discount" | "tax" | "total" | "taxes" | "withheld" | "discountAmount" | "recurring" | "cost" | "pricing"
>;

type ConfigurableLine = Line & OfferedLine;

/**
 * Checks that the lines fit together and have taxes of the budget alone, and that the tax follows what a customer sets.
 * Errors: those of checkChoices; UNKNOWN_TAX; TAX_RATE_REQUIRED.
 */
export function checkPricing(drafts: readonly ConfigurableLine[], taxation: Taxation): Result<void, Problem> {
  return checkChoices(drafts)
    .andThen(() => checkLineTaxes(drafts, taxation))
    .andThen(() => checkTaxFollows(drafts, taxation));
}

function checkTaxFollows(drafts: readonly ConfigurableLine[], taxation: Taxation): Result<void, Problem> {
  const isFixed = taxation.kind === "amount" && taxation.amount > 0;
  const index = isFixed ? drafts.findIndex(isConfigurable) : -1;
  if (index === -1) return ok(undefined);
  const message =
    "The customer can set this line, and the tax was given as an amount. Send taxes: a tax that follows needs a rate.";
  return err(brokenRule("TAX_RATE_REQUIRED", message, { field: `items[${index}]` }));
}

/** The figures to store of computed totals. Errors: those of furtherFigures. */
export function storedFigures(totals: Totals, input: PriceInput, steps: Steps = null): Result<StoredFigures, Problem> {
  const { subtotal, discount, tax, total, taxed } = totals;
  const pricing = { rounding: input.rounding, order: 1 } as const;
  return furtherFigures(totals, input, steps).map((further) => ({
    subtotal,
    discount,
    tax,
    total,
    ...(taxed === undefined ? {} : taxFields(taxed)),
    ...further,
    pricing,
  }));
}

function taxFields({ taxes, withheld, gross, discount }: NonNullable<Totals["taxed"]>): Partial<StoredFigures> {
  return {
    taxes: taxes.map(({ rule, base, amount }) => ({ ...rule, base, amount })),
    ...(taxes.some(({ rule }) => rule.kind === "withholding") ? { withheld } : {}),
    ...(gross.some((amount) => amount >= 0) ? { discountAmount: discount } : {}),
  };
}

/** The taxes of a stored budget, as they are computed again. */
export function taxationOf({ taxes, taxRate, tax }: Pick<Budget, "taxes" | "taxRate" | "tax">): Taxation {
  if (taxes !== undefined)
    return { kind: "taxes", taxes: taxes.map(({ base: _base, amount: _amount, ...rule }) => rule) };
  return taxRate === null ? { kind: "amount", amount: tax } : { kind: "rate", rate: taxRate };
}

/** A deposit of a request; null = none. Errors: 400 for more decimals than the currency has; AMOUNT_TOO_LARGE. */
export function depositFrom(
  input: z.output<typeof depositInput> | null | undefined,
  currency: string,
): Result<Deposit | null, Problem> {
  if (input === null || input === undefined) return ok(null);
  const { rate, amount = 0 } = input;
  if (rate !== undefined) return ok({ rate });
  return minorAmount("deposit.amount", amount, currency).map((minor) => ({ amount: minor }));
}

/** A deposit as a field of a budget. */
export function depositField(deposit: Deposit | null): Pick<Budget, "deposit"> {
  return deposit === null ? {} : { deposit };
}

/** What is to be paid of the total: what is withheld is not. */
export function payableOf({ total, withheld = 0 }: Pick<Budget, "total" | "withheld">): Minor {
  return total - withheld;
}

/** What must be paid before an acceptance counts; null = nothing. */
export function minimumPaymentOf(
  budget: Pick<Budget, "deposit" | "publicOffer" | "total" | "withheld" | "pricing">,
): Minor | null {
  const { deposit, publicOffer, total, pricing } = budget;
  const payable = payableOf(budget);
  if (deposit !== undefined) return depositOf(deposit, { total, payable }, pricing?.rounding ?? "half-up");
  return publicOffer === null ? null : Math.min(publicOffer.minimumPaymentToConfirm, payable);
}

/** An acceptance needs every choice to be made, whoever gives it. Errors: CHOICE_INCOMPLETE with the keys. */
export function checkChoicesMade({ items }: Pick<Budget, "items">): Result<void, Problem> {
  const keys = incompleteChoices(items);
  if (keys.length === 0) return ok(undefined);
  return err(brokenRule("CHOICE_INCOMPLETE", "Choices of the budget lack a selection.", { field: "items", keys }));
}

/**
 * Refuses a deposit that could never be paid. Of a budget that the customer configures the total may still grow.
 * Errors: MINIMUM_ABOVE_TOTAL.
 */
export function checkDeposit(
  deposit: Deposit | null,
  { total, withheld = 0 }: Pick<Budget, "total" | "withheld">,
  drafts: readonly ConfigurableLine[],
  currency: string,
): Result<void, Problem> {
  if (deposit === null || !("amount" in deposit)) return ok(undefined);
  const payable = total - withheld;
  if (deposit.amount <= payable || drafts.some(isConfigurable)) return ok(undefined);
  const message = "The deposit must not be more than what is payable: it could never be paid.";
  return err(
    brokenRule("MINIMUM_ABOVE_TOTAL", message, { field: "deposit.amount", total: fromMinor(payable, currency) }),
  );
}
