import { err, ok, type Result } from "neverthrow";
import type { Rounding } from "../kernel/decimal.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import type { Budget, BudgetItem } from "./budget.js";
import { minorAmount } from "./given-totals.js";
import { checkItemKinds, type ItemDraft, pricedItems } from "./items.js";
import { computeTotals, type Taxation } from "./totals.js";

/** What a new price is made from; an absent field stays as it is. */
export interface PriceChange {
  readonly items?: readonly ItemChange[] | undefined;
  readonly taxRate?: number | undefined;
  readonly discountAmount?: number | undefined;
}

/** An item of the budget by its id with new fields, or a new one. */
export type ItemChange = { readonly id?: string | undefined } & {
  readonly [K in keyof ItemDraft]?: ItemDraft[K] | undefined;
};

/**
 * The budget with new items, rate or discount and the totals that follow. New items have the id "" until they get one.
 * A tax that the client gave as an amount stays that amount until a rate is named.
 * Errors: UNKNOWN_ITEM, PRODUCT_AND_PACKAGE, 400 for a discount with too many decimals, and those of computeTotals.
 */
export function reprice(budget: Budget, change: PriceChange, rounding: Rounding): Result<Budget, Problem> {
  const listed = change.items === undefined ? ok(budget.items.map(keep)) : mergeItems(budget.items, change.items);
  if (listed.isErr()) return err(listed.error);
  const drafts = listed.value;
  const kinds = checkItemKinds(drafts);
  if (kinds.isErr()) return err(kinds.error);
  const discount =
    change.discountAmount === undefined
      ? ok(budget.discount)
      : minorAmount("discountAmount", change.discountAmount, budget.currency);
  if (discount.isErr()) return err(discount.error);
  const taxRate = change.taxRate ?? budget.taxRate;
  const taxation: Taxation =
    taxRate === null ? { kind: "amount", amount: budget.tax } : { kind: "rate", rate: taxRate };
  const totals = computeTotals({
    currency: budget.currency,
    rounding,
    lines: drafts,
    discount: discount.value,
    taxation,
  });
  if (totals.isErr()) return err(totals.error);
  const { lines, ...figures } = totals.value;
  const ids = drafts.map((draft) => draft.id);
  return ok({ ...budget, ...figures, taxRate, items: pricedItems(drafts, ids, lines) });
}

interface IdentifiedDraft extends ItemDraft {
  readonly id: string; // "" = new
}

function keep(item: BudgetItem): IdentifiedDraft {
  return item;
}

/** The new list: items named by id keep what the change leaves out; those that it does not name are gone. */
function mergeItems(items: readonly BudgetItem[], changes: readonly ItemChange[]): Result<IdentifiedDraft[], Problem> {
  const known = new Map(items.map((item) => [item.id, item]));
  const merged: IdentifiedDraft[] = [];
  for (const [index, change] of changes.entries()) {
    const item = change.id === undefined ? undefined : known.get(change.id);
    if (change.id !== undefined && item === undefined) return err(unknownItem(index, change.id));
    if (item !== undefined) known.delete(item.id);
    merged.push({
      id: item?.id ?? "",
      productId: change.productId === undefined ? item?.productId : change.productId,
      variantId: change.variantId === undefined ? item?.variantId : change.variantId,
      packageId: change.packageId === undefined ? item?.packageId : change.packageId,
      description: change.description ?? item?.description ?? "",
      quantity: change.quantity ?? item?.quantity ?? 0,
      unitPrice: change.unitPrice ?? item?.unitPrice ?? 0,
    });
  }
  return ok(merged);
}

function unknownItem(index: number, id: string): Problem {
  return brokenRule("UNKNOWN_ITEM", "The budget has no item of this id, or it is named twice.", {
    field: `items[${index}].id`,
    id,
  });
}
