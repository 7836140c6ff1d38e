import { err, Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import {
  amount,
  currencyCode,
  description,
  hostId,
  metadata,
  notes,
  quantity,
  SIZES,
  taxRate,
  unitPrice,
  wireDate,
} from "../kernel/fields.js";
import type { Problem } from "../kernel/problem.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import { type BudgetView, budgetViewOf } from "./budget-view.js";
import { minorAmount, optionalMinorAmount, reconcileTotals } from "./given-totals.js";
import { insertBudget } from "./insert-budget.js";
import { checkItems, pricedItems } from "./items.js";
import { packItems } from "./package-snapshot.js";
import { checkReferences } from "./references.js";
import type { Totals } from "./totals.js";
import { checkStillValid, validityOf } from "./validity.js";

const createItemSchema = z
  .object({
    productId: hostId.nullish(),
    variantId: hostId.nullish(),
    packageId: hostId.nullish(),
    description,
    quantity,
    unitPrice,
    total: amount.optional(),
  })
  .describe("One line of a budget; without productId it is a custom item.");

/** Source: contract, Create budget. */
export const createBudgetSchema = z.object({
  customerId: hostId,
  items: z.array(createItemSchema).min(1).max(SIZES.items),
  notes: notes.nullish(),
  validUntil: wireDate.nullish(),
  currency: currencyCode.default("USD"),
  taxRate: taxRate.default(0),
  discountAmount: amount.default(0),
  metadata: metadata.default({}),
  draft: z.boolean().default(false),
  subtotal: amount.optional(),
  tax: amount.optional(),
  total: amount.optional(),
});
export type CreateBudgetInput = z.output<typeof createBudgetSchema>;

/**
 * Creates a budget, PENDING unless a draft is asked for, with the service's totals or the client's where they agree.
 * Errors: 400 for amounts with more decimals than the currency; VALIDITY_IN_THE_PAST, UNKNOWN_REFERENCE,
 * PRODUCT_AND_PACKAGE and those of reconcileTotals.
 */
export async function createBudget(
  context: BudgetContext,
  actor: Actor,
  input: CreateBudgetInput,
  options: WriteOptions<BudgetView> = {},
): Promise<Result<BudgetView, Problem>> {
  const now = options.now ?? context.clock.now();
  const { businessId } = actor;
  const kinds = checkItems(input.items);
  if (kinds.isErr()) return err(kinds.error);
  const totals = totalsOfInput(input, context);
  if (totals.isErr()) return err(totals.error);
  const validUntil = await validityOf(context, businessId, input.validUntil ?? null);
  const valid = checkStillValid(validUntil, now);
  if (valid.isErr()) return err(valid.error);
  const known = await checkReferences(context, businessId, input);
  if (known.isErr()) return err(known.error);
  const id = await context.ids.next();
  const itemIds = await context.ids.take(input.items.length);
  const { lines, ...figures } = totals.value;
  const items = await packItems(context, businessId, pricedItems(input.items, itemIds, lines), []);
  if (items.isErr()) return err(items.error);
  const budget = {
    ...figures,
    id,
    customerId: input.customerId,
    status: input.draft ? "DRAFT" : "PENDING",
    currency: input.currency,
    items: items.value,
    taxRate: input.taxRate,
    notes: input.notes ?? null,
    validUntil,
    metadata: input.metadata,
    publicTokenHash: null,
    publicOffer: null,
  } as const;
  return insertBudget(context, actor, budget, now, options, budgetViewOf);
}

function totalsOfInput(input: CreateBudgetInput, { rounding }: BudgetContext): Result<Totals, Problem> {
  const { currency } = input;
  const discount = minorAmount("discountAmount", input.discountAmount, currency);
  if (discount.isErr()) return err(discount.error);
  const given = Result.combine([
    optionalMinorAmount("subtotal", input.subtotal, currency),
    optionalMinorAmount("tax", input.tax, currency),
    optionalMinorAmount("total", input.total, currency),
  ]);
  if (given.isErr()) return err(given.error);
  const lines = Result.combine(
    input.items.map((item, index) => optionalMinorAmount(`items[${index}].total`, item.total, currency)),
  );
  if (lines.isErr()) return err(lines.error);
  const [subtotal, tax, total] = given.value;
  const taxation = { kind: "rate", rate: input.taxRate } as const;
  const totals = { currency, rounding, lines: input.items, discount: discount.value, taxation };
  return reconcileTotals(totals, { lines: lines.value, subtotal, tax, total });
}
