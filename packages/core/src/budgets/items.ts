import { err, ok, type Result } from "neverthrow";
import { at } from "../kernel/at.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import type { BudgetItem } from "./budget.js";
import type { Line, LineTotals } from "./totals.js";

/** An item before it is priced: what it is, how many, and at what price. */
export interface ItemDraft extends Line {
  readonly productId?: string | null | undefined;
  readonly variantId?: string | null | undefined;
  readonly packageId?: string | null | undefined;
  readonly description: string;
}

/** The items with their ids and figures; the three lists run side by side. */
export function pricedItems(
  drafts: readonly ItemDraft[],
  ids: readonly string[],
  totals: readonly LineTotals[],
): BudgetItem[] {
  return drafts.map((draft, index) => ({
    id: at(ids, index),
    productId: draft.productId ?? null,
    variantId: draft.variantId ?? null,
    packageId: draft.packageId ?? null,
    description: draft.description,
    quantity: draft.quantity,
    unitPrice: draft.unitPrice,
    ...at(totals, index),
  }));
}

/** An item is a product, a package or neither. Errors: PRODUCT_AND_PACKAGE at the first that is both. */
export function checkItemKinds(drafts: readonly ItemDraft[]): Result<void, Problem> {
  const both = drafts.findIndex((draft) => present(draft.productId) && present(draft.packageId));
  if (both === -1) return ok();
  const message = "An item names a product or a package, not both.";
  return err(brokenRule("PRODUCT_AND_PACKAGE", message, { field: `items[${both}]` }));
}

function present(id: string | null | undefined): boolean {
  return id !== null && id !== undefined;
}
