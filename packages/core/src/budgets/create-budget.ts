import { err, ok, Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import { at } from "../kernel/arrays.js";
import type { Instant } from "../kernel/clock.js";
import type { Rounding } from "../kernel/decimal.js";
import {
  amount,
  currencyCode,
  hostId,
  metadata,
  notes,
  paymentUrl,
  SIZES,
  taxRate,
  terms,
  wireDate,
} from "../kernel/fields.js";
import type { Problem } from "../kernel/problem.js";
import { type Deposit, depositOf } from "../pricing/deposit.js";
import {
  type GivenTotals,
  givenLineTotals,
  minorAmount,
  optionalMinorAmount,
  reconcileTotals,
} from "../pricing/given-totals.js";
import type { Steps, Taxation, Totals } from "../pricing/totals-parts.js";
import { type Budget, paymentUrlField } from "./budget.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import { type BudgetView, budgetViewOf } from "./budget-view.js";
import { taxesOfCreation } from "./default-taxes.js";
import { customerOf, customerOnce, type ForCustomer, inlineCustomer, requireCustomer } from "./inline-customer.js";
import { type Insertion, insertBudget } from "./insert-budget.js";
import { checkItems, type ItemDraft, pricedItems } from "./items.js";
import { checkStillValid, validityOf } from "./lifecycle/validity.js";
import { createLineSchema, draftsOf, lacksPrice, withPackages } from "./line-input.js";
import { depositInput, oneTaxation, taxesInput } from "./price-fields.js";
import {
  checkDeposit,
  checkPricing,
  depositField,
  depositFrom,
  payableOf,
  type StoredFigures,
  storedFigures,
} from "./price-figures.js";
import { offersFor, settleLines } from "./product-defaults.js";
import { resolveItems } from "./references/package-snapshot.js";
import { lookUpNamed } from "./references/references.js";

const contentSchema = z.object({
  /** Id of the customer, assigned by the service or by the host. Required unless `customer` is given. */
  customerId: hostId
    .optional()
    .describe("Id of the customer, assigned by the service or by the host. Required unless `customer` is given."),
  /** The customer itself, in place of its id. */
  customer: inlineCustomer,
  /** The lines, at least one. */
  items: z.array(createLineSchema).min(1).max(SIZES.items),
  /** Free text. */
  notes: notes.nullish(),
  /** Until when the offer holds. ISO 8601; a plain date is the end of that day. */
  validUntil: wireDate.nullish(),
  /** An ISO 4217 code. Default: that of the business, else USD. */
  currency: currencyCode
    .optional()
    .describe("An ISO 4217 code in upper case. Default: the currency of the business, else USD."),
  /** Tax rate from 0 to 1. Default: the default taxes of the business, else 0. Not with taxes. */
  taxRate: taxRate
    .optional()
    .describe("A fraction: 0.21 is 21 %. Default: the default taxes of the business, else 0. Not with taxes."),
  /** Several taxes, in place of a taxRate: each itself, or the id of a named tax of the business. */
  taxes: taxesInput.nullish(),
  /** Discount of the whole budget, in the currency's major unit. Default 0. */
  discountAmount: amount.default(0),
  /** What must be paid before an acceptance counts. */
  deposit: depositInput.nullish(),
  /** The terms of this budget. Default: those of the business when the budget is sent. */
  terms: terms.nullish().describe("The terms of this budget. Default: those of the business when it is sent."),
  /** Where the customer pays, with https. Default: where the business says. */
  paymentUrl: paymentUrl.nullish().describe("Where the customer pays, with https. Default: where the business says."),
  /** Free data of the client. Default: none. */
  metadata: metadata.default({}),
  /** True = a DRAFT in place of a PENDING budget. Default false. */
  draft: z.boolean().default(false),
  /** Checked against the computed amount where given, in the currency's major unit. */
  subtotal: amount.optional(),
  /** Checked against the computed amount where given, in the currency's major unit. */
  tax: amount.optional(),
  /** Checked against the computed amount where given, in the currency's major unit. */
  total: amount.optional(),
});

/** Source: contract, Create budget. */
export const createBudgetSchema = contentSchema
  .check(requireCustomer(Object.keys(contentSchema.shape)), oneTaxation)
  .meta({ id: "CreateBudget" });
type CreationFields = z.input<typeof createBudgetSchema>;
/** The content of a new budget, for a customer by id or for one that is made with it. */
export type CreateBudget = Omit<CreationFields, "customerId" | "customer"> & ForCustomer<string>;
export type CreateBudgetInput = z.output<typeof createBudgetSchema>;

/** A creation for its figures alone: the customer is optional. */
export const previewBudgetSchema = contentSchema
  .extend({
    /** Id of the customer, assigned by the service or by the host. */
    customerId: hostId.nullish(),
  })
  .check(customerOnce, oneTaxation)
  .meta({ id: "PreviewBudget" });
/** The content of a budget to calculate. */
export interface PreviewBudget extends z.input<typeof previewBudgetSchema> {}
export type PreviewBudgetInput = z.output<typeof previewBudgetSchema>;

/**
 * Creates a budget, as a DRAFT on request, else PENDING. The totals are the service's, or the client's where they agree.
 * Errors: 400 for amounts with more decimals than the currency; VALIDITY_IN_THE_PAST, UNKNOWN_REFERENCE, UNKNOWN_TAX,
 * PRODUCT_AND_PACKAGE, BUDGET_TOO_LARGE and those of reconcileTotals and packItems.
 */
export async function createBudget(
  given: BudgetContext,
  actor: Actor,
  input: CreateBudgetInput,
  options: WriteOptions = {},
): Promise<Result<BudgetView, Problem>> {
  const context = withOneLookUp(given, actor.businessId);
  const now = options.now ?? context.clock.now();
  const decide = (attempt: number) => decideCreation(context, actor, input, now, attempt);
  return insertBudget(context, actor, decide, now, options, budgetViewOf);
}

async function decideCreation(
  context: BudgetContext,
  actor: Actor,
  input: CreateBudgetInput,
  now: Instant,
  attempt: number,
): Promise<Result<Insertion, Problem>> {
  // Looked up together: a store may answer all in one round trip.
  const [checked, customer] = await Promise.all([
    checkCreation(context, actor.businessId, input, now, null),
    customerOf(context, actor, input, now, attempt),
  ]);
  if (checked.isErr()) return err(checked.error);
  if (customer.isErr()) return err(customer.error);
  const { currency, items, taxation, totals, figures, deposit, validUntil } = checked.value;
  const { customerId, summaries, added } = customer.value;
  const ids = await context.ids.take(actor.businessId, 1 + items.length);
  const budget = {
    id: at(ids, 0),
    customerId,
    status: input.draft ? "DRAFT" : "PENDING",
    currency,
    items: pricedItems(items, ids.slice(1), totals),
    taxRate: taxation.kind === "rate" ? taxation.rate : null,
    notes: input.notes ?? null,
    validUntil,
    metadata: input.metadata,
    publicTokenHash: null,
    publicOffer: null,
    ...termsField(input.terms),
    ...paymentUrlField(input.paymentUrl),
    ...depositField(deposit),
    ...figures, // last: V8 is slow to add to a copy
  } as const;
  return ok({ budget, summaries, added });
}

/** The context of one creation or preview, whose steps look the business up once: each look-up may cost a round trip. */
export function withOneLookUp(context: BudgetContext, businessId: string): BudgetContext {
  let business: ReturnType<BudgetContext["findBusiness"]> | null = null;
  const findBusiness = () => {
    business ??= context.findBusiness(businessId);
    return business;
  };
  return { ...context, findBusiness };
}

function termsField(text: string | null | undefined): Pick<Budget, "terms"> {
  return text === null || text === undefined ? {} : { terms: text };
}

/** The parts of a creation, after every check. */
export interface CheckedCreation {
  readonly currency: string;
  readonly items: readonly ItemDraft[];
  readonly taxation: Taxation;
  readonly totals: Totals;
  readonly figures: StoredFigures;
  readonly deposit: Deposit | null;
  readonly validUntil: Instant | null;
}

/** Every check of a creation. A preview makes the same checks, and may leave the customer out. */
export async function checkCreation(
  context: BudgetContext,
  businessId: string,
  input: PreviewBudgetInput,
  now: Instant,
  steps: Steps,
): Promise<Result<CheckedCreation, Problem>> {
  const kinds = checkItems(input.items);
  if (kinds.isErr()) return err(kinds.error);
  const { items } = input;
  // Looked up together: a store may answer all in one round trip.
  const named = lookUpNamed(context, businessId, items);
  const [resolved, entries, currency, terms] = await Promise.all([
    resolveItems(context, businessId, input.customerId ?? null, items, named),
    named,
    input.currency ?? defaultCurrency(context, businessId),
    taxesOfCreation(context, businessId, input),
  ]);
  if (terms.isErr()) return err(terms.error);
  // Without the catalog's price there is nothing to calculate, and nothing else to report.
  if (resolved.isErr() && items.some(lacksPrice)) return err(resolved.error);
  const offers = resolved.isErr() ? [] : offersFor(resolved.value, entries);
  const settled = settleLines(items, offers, currency, terms.value);
  if (settled.isErr()) return err(settled.error);
  const { lines, taxation } = settled.value;
  const drafts = draftsOf(lines, currency);
  if (drafts.isErr()) return err(drafts.error);
  const priced = priceOf({ ...input, currency }, taxation, drafts.value, context.rounding, steps);
  if (priced.isErr()) return err(priced.error);
  const validUntil = await validityOf(context, businessId, input.validUntil);
  const valid = checkStillValid(validUntil, now);
  if (valid.isErr()) return err(valid.error);
  return resolved.map((packed) => ({
    currency,
    items: withPackages(drafts.value, packed),
    taxation,
    ...priced.value,
    validUntil,
  }));
}

async function defaultCurrency(context: BudgetContext, businessId: string): Promise<string> {
  return (await context.findBusiness(businessId))?.profile.currency ?? "USD";
}

type Priced = Pick<CheckedCreation, "totals" | "figures" | "deposit">;

function priceOf(
  input: PreviewBudgetInput & { readonly currency: string },
  taxation: Taxation,
  drafts: readonly ItemDraft[],
  rounding: Rounding,
  steps: Steps,
): Result<Priced, Problem> {
  const { currency } = input;
  const discount = minorAmount("discountAmount", input.discountAmount, currency);
  if (discount.isErr()) return err(discount.error);
  const given = givenTotalsOf(input);
  if (given.isErr()) return err(given.error);
  const checked = checkPricing(drafts, taxation);
  if (checked.isErr()) return err(checked.error);
  const terms = { currency, rounding, lines: drafts, discount: discount.value, taxation };
  const totals = reconcileTotals(terms, given.value, steps);
  if (totals.isErr()) return err(totals.error);
  const figures = storedFigures(totals.value, terms, steps);
  if (figures.isErr()) return err(figures.error);
  return depositFrom(input.deposit, currency)
    .andThrough((deposit) => checkDeposit(deposit, figures.value, drafts, currency))
    .map((deposit) => {
      if (deposit !== null && steps !== null) addDepositStep(deposit, figures.value, rounding, steps);
      return { totals: totals.value, figures: figures.value, deposit };
    });
}

function addDepositStep(deposit: Deposit, figures: StoredFigures, rounding: Rounding, steps: NonNullable<Steps>): void {
  depositOf(deposit, { total: figures.total, payable: payableOf(figures) }, rounding, steps);
}

/** Errors: 400 for a figure with more decimals than the currency has. */
function givenTotalsOf(input: PreviewBudgetInput & { readonly currency: string }): Result<GivenTotals, Problem> {
  const { currency } = input;
  const given = Result.combine([
    optionalMinorAmount("subtotal", input.subtotal, currency),
    optionalMinorAmount("tax", input.tax, currency),
    optionalMinorAmount("total", input.total, currency),
  ]);
  if (given.isErr()) return err(given.error);
  const [subtotal, tax, total] = given.value;
  return givenLineTotals(input.items, currency).map((lines) => ({ lines, subtotal, tax, total }));
}
