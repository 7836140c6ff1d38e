import { err, ok, type Result } from "neverthrow";
import { refuseStaleVersion } from "../idempotency/write-options.js";
import type { Actor } from "../kernel/actor.js";
import { at } from "../kernel/arrays.js";
import type { Problem } from "../kernel/problem.js";
import { type Budget, paymentUrlField } from "./budget.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import { type BudgetView, budgetViewOf } from "./budget-view.js";
import { insertBudget, type NewBudget } from "./insert-budget.js";
import { findCurrentBudget } from "./lifecycle/find-budget.js";
import { depositField, type StoredFigures } from "./price-figures.js";
import { checkReferences } from "./references/references.js";
import { customersOf } from "./references/summaries.js";

/** Terms that are a copy of the business's are not copied: the new budget gets those of the day on which it is sent. */
function ownTerms({ terms, hasTermsOfBusiness }: Budget): Pick<Budget, "terms"> {
  return terms === undefined || hasTermsOfBusiness === true ? {} : { terms };
}

function figuresOf(original: Budget): StoredFigures {
  const { subtotal, discount, tax, total, taxes, withheld, discountAmount, recurring, cost, pricing } = original;
  return {
    subtotal,
    discount,
    tax,
    total,
    ...(taxes === undefined ? {} : { taxes }),
    ...(withheld === undefined ? {} : { withheld }),
    ...(discountAmount === undefined ? {} : { discountAmount }),
    ...(recurring === undefined ? {} : { recurring }),
    ...(cost === undefined ? {} : { cost }),
    ...(pricing === undefined ? {} : { pricing }),
  };
}

/**
 * A new DRAFT with the content of another budget. The items get new ids, package snapshots are kept; a past validity,
 * the public link and the number are left out. Errors: those of findBudget; stale; UNKNOWN_REFERENCE as for any new budget.
 */
export async function duplicateBudget(
  context: BudgetContext,
  actor: Actor,
  originalId: string,
  options: WriteOptions = {},
): Promise<Result<BudgetView, Problem>> {
  const now = options.now ?? context.clock.now();
  const found = await findCurrentBudget(context, actor.businessId, originalId, now);
  if (found.isErr()) return err(found.error);
  const original = found.value;
  const stale = refuseStaleVersion("budget", original, options);
  if (stale !== null) return err(stale);
  const [known, summaries] = await Promise.all([
    checkReferences(context, actor.businessId, original),
    customersOf(context, actor.businessId, [original]),
  ]);
  if (known.isErr()) return err(known.error);
  const id = await context.ids.next(actor.businessId);
  const itemIds = await context.ids.take(actor.businessId, original.items.length);
  const { customerId, currency, taxRate, notes, metadata, publicOffer } = original;
  const budget: NewBudget = {
    id,
    customerId,
    status: "DRAFT",
    items: original.items.map((item, index) => ({ ...item, id: at(itemIds, index) })),
    validUntil: original.validUntil !== null && original.validUntil > now ? original.validUntil : null,
    currency,
    taxRate,
    notes,
    metadata,
    publicTokenHash: null,
    publicOffer,
    ...ownTerms(original),
    ...paymentUrlField(original.paymentUrl),
    ...depositField(original.deposit ?? null),
    ...figuresOf(original),
  };
  return insertBudget(context, actor, async () => ok({ budget, summaries }), now, options, budgetViewOf);
}
