import { err, ok, type Result } from "neverthrow";
import { numberAt } from "../kernel/arrays.js";
import { isCurrency } from "../kernel/currency.js";
import { fromMinor, type Minor } from "../kernel/money.js";
import { invalid, type Problem } from "../kernel/problem.js";
import { checkChoices, incompleteChoices } from "./choices.js";
import { depositOf } from "./deposit.js";
import { minorAmount } from "./given-totals.js";
import { offeredAmountsOf } from "./line-amounts.js";
import { isItem, sectionsOf } from "./line-kind.js";
import { type FurtherFigures, furtherFigures, type PriceInput } from "./price.js";
import { type SettledLine, settledLines } from "./pricing-lines.js";
import type { PricingFigures, PricingInput, PricingLineFigures, PricingTax } from "./pricing-shapes.js";
import { isSelectable, keepCounted } from "./selectable.js";
import { MAX_TAXES, type TaxRule } from "./tax-rule.js";
import { checkLineTaxes } from "./tax-sets.js";
import { totalsOfLines } from "./totals.js";
import type { Steps, Taxation, Totals } from "./totals-parts.js";
import { totalsTraceOf } from "./totals-trace.js";
import type { TraceStep } from "./trace-schema.js";

type Major = (minor: Minor) => number;

/**
 * The figures of a budget, with the steps of their computation. Amounts are in the currency's major unit, as the HTTP
 * interface has them. It is the computation of the service itself, and works in a browser.
 * Errors: 400 for a number that is out of its bounds or has more decimals than the currency; the rules of choices, ranges,
 * tiers, taxes and totals. `details.field` or `errors[].field` is the path of what is wrong.
 */
export function priceBudget(input: PricingInput): Result<PricingFigures, Problem> {
  const terms = termsOf(input);
  if (terms.isErr()) return err(terms.error);
  const { currency, lines } = terms.value;
  const steps: NonNullable<Steps> = [];
  const offered = offeredAmountsOf(terms.value, steps);
  if (offered.isErr()) return err(offered.error);
  const totals = totalsOfLines(keepCounted(lines, offered.value.slice()), terms.value, steps);
  if (totals.isErr()) return err(totals.error);
  const further = furtherFigures(totals.value, terms.value, steps);
  if (further.isErr()) return err(further.error);
  const minimum = minimumOf(input, totals.value, steps);
  if (minimum.isErr()) return err(minimum.error);
  let trace: readonly TraceStep[] | null = null; // made when read: it takes longer than the figures
  const major: Major = (minor) => fromMinor(minor, currency);
  return ok({
    ...budgetFigures(totals.value, further.value, major),
    ...(minimum.value === null ? {} : { minimumPaymentToConfirm: major(minimum.value) }),
    items: lineFigures(lines, totals.value, offered.value, major),
    incompleteChoices: incompleteChoices(lines),
    get trace() {
      trace ??= totalsTraceOf(steps, currency);
      return trace;
    },
  });
}

interface Terms extends PriceInput {
  readonly lines: readonly SettledLine[];
}

function termsOf(input: PricingInput): Result<Terms, Problem> {
  const { currency, rounding = "half-up" } = input;
  if (!isCurrency(currency)) return err(invalid("currency", "INVALID_VALUE", "must be an ISO 4217 code in upper case"));
  const taxation = taxationOf(input);
  if (taxation.isErr()) return err(taxation.error);
  const lines = settledLines(input);
  if (lines.isErr()) return err(lines.error);
  const chosen = checkChoices(lines.value).andThen(() => checkLineTaxes(lines.value, taxation.value));
  if (chosen.isErr()) return err(chosen.error);
  return minorOf("discountAmount", input.discountAmount ?? 0, currency).map((discount) => ({
    currency,
    rounding,
    lines: lines.value,
    discount,
    taxation: taxation.value,
  }));
}

/** Errors: 400 for a rate beyond 0 to 1, too many taxes, or a taxRate beside taxes. */
function taxationOf({ taxRate, taxes }: PricingInput): Result<Taxation, Problem> {
  if (taxes === undefined) {
    const rate = taxRate ?? 0;
    return isRate(rate) ? ok({ kind: "rate", rate: rate + 0 }) : err(notARate("taxRate"));
  }
  if (taxRate !== undefined && taxRate !== null) {
    return err(invalid("taxRate", "INVALID_VALUE", "A budget has a taxRate or taxes, not both."));
  }
  if (taxes.length > MAX_TAXES) return err(invalid("taxes", "MAX_LENGTH", `must have at most ${MAX_TAXES} taxes`));
  const wrong = taxes.findIndex(({ rate }) => !isRate(rate));
  return wrong === -1 ? ok({ kind: "taxes", taxes: taxes.map(ruleOf) }) : err(notARate(`taxes[${wrong}].rate`));
}

function ruleOf({ id, name = id, rate, kind = "tax", inclusive = false, on = [] }: PricingTax): TaxRule {
  return { id, name, rate: rate + 0, kind, inclusive, on }; // no minus zero
}

function isRate(rate: number): boolean {
  return rate >= 0 && rate <= 1;
}

function notARate(field: string): Problem {
  return invalid(field, "INVALID_VALUE", "must be from 0 to 1: 0.21 is 21 %");
}

/** Null = no deposit. Errors: 400 unless it has a rate or an amount. */
function minimumOf(
  { deposit = null, currency, rounding = "half-up" }: PricingInput,
  { total, taxed }: Totals,
  steps: Steps,
): Result<Minor | null, Problem> {
  if (deposit === null) return ok(null);
  const { rate, amount } = deposit;
  if ((rate === undefined) === (amount === undefined)) {
    return err(invalid("deposit", "INVALID_VALUE", "A deposit has a rate or an amount."));
  }
  const sums = { total, payable: total - (taxed?.withheld ?? 0) };
  if (rate !== undefined) {
    if (!isRate(rate)) return err(notARate("deposit.rate"));
    return ok(depositOf({ rate: rate + 0 }, sums, rounding, steps));
  }
  return minorOf("deposit.amount", amount ?? 0, currency).map((minor) =>
    depositOf({ amount: minor }, sums, rounding, steps),
  );
}

/** Errors: 400 for an amount that is negative or has more decimals than the currency. */
function minorOf(field: string, amount: number, currency: string): Result<Minor, Problem> {
  if (!(amount >= 0)) return err(invalid(field, "MIN_VALUE", "must be a number that is not negative"));
  return minorAmount(field, amount + 0, currency); // no minus zero
}

function budgetFigures(
  { subtotal, discount, tax, total, taxed }: Totals,
  { recurring, cost }: FurtherFigures,
  major: Major,
): Omit<PricingFigures, "items" | "incompleteChoices" | "trace"> {
  const hasWithholding = taxed?.taxes.some(({ rule }) => rule.kind === "withholding") === true;
  const withheld = taxed?.withheld ?? 0;
  return {
    subtotal: major(subtotal),
    discount: major(discount),
    tax: major(tax),
    total: major(total),
    ...(taxed === undefined
      ? {}
      : {
          taxes: taxed.taxes.map(({ rule, base, amount }) => ({ ...rule, base: major(base), amount: major(amount) })),
        }),
    ...(hasWithholding ? { withheld: major(withheld), payable: major(total - withheld) } : {}),
    ...(recurring === undefined
      ? {}
      : {
          recurring: recurring.map((each) => ({
            ...each,
            subtotal: major(each.subtotal),
            tax: major(each.tax),
            total: major(each.total),
          })),
        }),
    ...(cost === undefined ? {} : { cost: major(cost), margin: major(subtotal - discount - cost) }),
  };
}

function lineFigures(
  lines: readonly SettledLine[],
  { lines: { totals, discounts, taxes }, taxed }: Totals,
  offered: Float64Array,
  major: Major,
): PricingLineFigures[] {
  const sections = sectionsOf(lines, totals);
  return lines.map((line, index) => {
    if (!isItem(line)) {
      const section = sections.get(index);
      return section === undefined ? {} : { total: major(section.total) };
    }
    const gross = taxed === undefined ? -1 : numberAt(taxed.gross, index);
    const figures: { -readonly [Field in keyof PricingLineFigures]: PricingLineFigures[Field] } = {
      unitPrice: line.unitPrice,
      total: major(numberAt(totals, index)),
      discount: major(numberAt(discounts, index)),
      tax: major(numberAt(taxes, index)),
    };
    if (gross >= 0) figures.gross = major(gross);
    if (isSelectable(line)) figures.offered = major(numberAt(offered, index));
    return figures;
  });
}
