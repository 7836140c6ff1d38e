import { err, Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import { at } from "../kernel/arrays.js";
import type { Instant } from "../kernel/clock.js";
import type { Rounding } from "../kernel/decimal.js";
import { amount, currencyCode, hostId, metadata, notes, SIZES, taxRate, terms, wireDate } from "../kernel/fields.js";
import type { Problem } from "../kernel/problem.js";
import { givenLineTotals, minorAmount, optionalMinorAmount, reconcileTotals } from "../pricing/given-totals.js";
import type { Steps, Totals } from "../pricing/totals.js";
import type { Budget } from "./budget.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import { type BudgetView, budgetViewOf } from "./budget-view.js";
import { insertBudget } from "./insert-budget.js";
import { checkItems, type ItemDraft, pricedItems } from "./items.js";
import { checkStillValid, validityOf } from "./lifecycle/validity.js";
import { createLineSchema, draftsOf, withPackages } from "./line-input.js";
import { resolveItems } from "./references/package-snapshot.js";
import { customersOf } from "./references/summaries.js";

/** Source: contract, Create budget. */
export const createBudgetSchema = z
  .object({
    /** Id of the customer, assigned by the service or by the host. */
    customerId: hostId,
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
    /** Tax rate from 0 to 1. Default 0. */
    taxRate: taxRate.default(0),
    /** Discount of the whole budget, in the currency's major unit. Default 0. */
    discountAmount: amount.default(0),
    /** The terms of this budget. Default: those of the business when the budget is sent. */
    terms: terms.nullish().describe("The terms of this budget. Default: those of the business when it is sent."),
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
  })
  .meta({ id: "CreateBudget" });
/** The content of a new budget. */
export interface CreateBudget extends z.input<typeof createBudgetSchema> {}
export type CreateBudgetInput = z.output<typeof createBudgetSchema>;

/** A creation for its figures alone: the customer is optional. */
export const previewBudgetSchema = createBudgetSchema
  .extend({
    /** Id of the customer, assigned by the service or by the host. */
    customerId: hostId.nullish(),
  })
  .meta({ id: "PreviewBudget" });
/** The content of a budget to calculate. */
export interface PreviewBudget extends z.input<typeof previewBudgetSchema> {}
export type PreviewBudgetInput = z.output<typeof previewBudgetSchema>;

/**
 * Creates a budget, as a DRAFT on request, else PENDING. The totals are the service's, or the client's where they agree.
 * Errors: 400 for amounts with more decimals than the currency; VALIDITY_IN_THE_PAST, UNKNOWN_REFERENCE,
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
  // Looked up together: a store may answer all in one round trip.
  const [checked, summaries] = await Promise.all([
    checkCreation(context, actor.businessId, input, now, null),
    customersOf(context, actor.businessId, [input]),
  ]);
  if (checked.isErr()) return err(checked.error);
  const { currency, items, totals, validUntil } = checked.value;
  const ids = await context.ids.take(actor.businessId, 1 + items.length);
  const { lines, ...figures } = totals;
  const budget = {
    id: at(ids, 0),
    customerId: input.customerId,
    status: input.draft ? "DRAFT" : "PENDING",
    currency,
    items: pricedItems(items, ids.slice(1), lines),
    taxRate: input.taxRate,
    notes: input.notes ?? null,
    validUntil,
    metadata: input.metadata,
    publicTokenHash: null,
    publicOffer: null,
    ...termsField(input.terms),
    ...figures, // last: V8 is slow to add to a copy
  } as const;
  return insertBudget(context, actor, { budget, summaries }, now, options, budgetViewOf);
}

/** The context of one creation, whose steps look the business up once: each look-up may cost a round trip. */
function withOneLookUp(context: BudgetContext, businessId: string): BudgetContext {
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
  readonly totals: Totals;
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
  // Looked up together: a store may answer both in one round trip.
  const [resolved, currency] = await Promise.all([
    resolveItems(context, businessId, input.customerId ?? null, input.items),
    input.currency ?? defaultCurrency(context, businessId),
  ]);
  const drafts = draftsOf(input.items, currency);
  if (drafts.isErr()) return err(drafts.error);
  const totals = totalsOfInput({ ...input, currency }, drafts.value, context.rounding, steps);
  if (totals.isErr()) return err(totals.error);
  const validUntil = await validityOf(context, businessId, input.validUntil);
  const valid = checkStillValid(validUntil, now);
  if (valid.isErr()) return err(valid.error);
  return resolved.map((packed) => ({
    currency,
    items: withPackages(drafts.value, packed),
    totals: totals.value,
    validUntil,
  }));
}

async function defaultCurrency(context: BudgetContext, businessId: string): Promise<string> {
  return (await context.findBusiness(businessId))?.profile.currency ?? "USD";
}

function totalsOfInput(
  input: PreviewBudgetInput & { readonly currency: string },
  drafts: readonly ItemDraft[],
  rounding: Rounding,
  steps: Steps,
): Result<Totals, Problem> {
  const { currency } = input;
  const discount = minorAmount("discountAmount", input.discountAmount, currency);
  if (discount.isErr()) return err(discount.error);
  const given = Result.combine([
    optionalMinorAmount("subtotal", input.subtotal, currency),
    optionalMinorAmount("tax", input.tax, currency),
    optionalMinorAmount("total", input.total, currency),
  ]);
  if (given.isErr()) return err(given.error);
  const lines = givenLineTotals(input.items, currency);
  if (lines.isErr()) return err(lines.error);
  const [subtotal, tax, total] = given.value;
  const taxation = { kind: "rate", rate: input.taxRate } as const;
  const totals = { currency, rounding, lines: drafts, discount: discount.value, taxation };
  return reconcileTotals(totals, { lines: lines.value, subtotal, tax, total }, steps);
}
