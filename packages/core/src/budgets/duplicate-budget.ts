import { err, type Result } from "neverthrow";
import type { Actor } from "../kernel/actor.js";
import { at } from "../kernel/at.js";
import { notFound, type Problem } from "../kernel/problem.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import { type BudgetView, budgetViewOf } from "./budget-view.js";
import { insertBudget, type NewBudget } from "./insert-budget.js";
import { checkReferences } from "./references.js";

/**
 * A new DRAFT with the content of another budget: its items get ids of their own, a validity that has passed is left
 * out, and the public link is not shared. Packages stay as they were. Errors: not-found; UNKNOWN_REFERENCE as for any
 * new budget.
 */
export async function duplicateBudget(
  context: BudgetContext,
  actor: Actor,
  originalId: string,
  options: WriteOptions<BudgetView> = {},
): Promise<Result<BudgetView, Problem>> {
  const now = options.now ?? context.clock.now();
  const original = await context.store.findBudget(actor.businessId, originalId);
  if (original === null || original.deletion !== null) return err(notFound("budget", originalId));
  if (options.expectedVersion !== undefined && options.expectedVersion !== null) {
    if (options.expectedVersion !== original.version) {
      return err({ kind: "stale", message: "The budget has changed since the version that If-Match names." });
    }
  }
  const known = await checkReferences(context, actor.businessId, original);
  if (known.isErr()) return err(known.error);
  const id = await context.ids.next();
  const itemIds = await context.ids.take(original.items.length);
  const { customerId, currency, taxRate, subtotal, discount, tax, total, notes, metadata, publicOffer } = original;
  const copy: NewBudget = {
    id,
    customerId,
    status: "DRAFT",
    items: original.items.map((item, index) => ({ ...item, id: at(itemIds, index) })),
    validUntil: original.validUntil !== null && original.validUntil > now ? original.validUntil : null,
    currency,
    taxRate,
    subtotal,
    discount,
    tax,
    total,
    notes,
    metadata,
    publicTokenHash: null,
    publicOffer,
  };
  return insertBudget(context, actor, copy, now, options, budgetViewOf);
}
