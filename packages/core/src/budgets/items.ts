import { err, ok, type Result } from "neverthrow";
import { at, numberAt } from "../kernel/at.js";
import { SIZES } from "../kernel/fields.js";
import { brokenRule, invalid, type Problem } from "../kernel/problem.js";
import type { BudgetItem, PackageSnapshot } from "./budget.js";
import type { ItemReference } from "./references.js";
import type { Line, LineTotals } from "./totals.js";

/** An item before it is priced: what it is, how many, and at what price. */
export interface ItemDraft extends Line, ItemReference {
  readonly package?: PackageSnapshot | undefined; // of an item that has one already
  readonly description: string;
}

/** The items with their ids and figures; the lists run side by side. */
export function pricedItems(
  drafts: readonly ItemDraft[],
  ids: readonly string[],
  { totals, discounts, taxes }: LineTotals,
): BudgetItem[] {
  return drafts.map((draft, index) => ({
    id: at(ids, index),
    productId: draft.productId ?? null,
    variantId: draft.variantId ?? null,
    packageId: draft.packageId ?? null,
    ...(draft.package === undefined ? {} : { package: draft.package }),
    description: draft.description,
    quantity: draft.quantity,
    unitPrice: draft.unitPrice,
    total: numberAt(totals, index),
    discount: numberAt(discounts, index),
    tax: numberAt(taxes, index),
  }));
}

/**
 * An item is a product, a package or neither; and the descriptions of a budget are bounded together as well, since a
 * page of a hundred budgets carries all of theirs. Errors: PRODUCT_AND_PACKAGE at the first item that is both; 400
 * MAX_LENGTH.
 */
export function checkItems(drafts: readonly ItemDraft[]): Result<void, Problem> {
  const both = drafts.findIndex((draft) => present(draft.productId) && present(draft.packageId));
  if (both !== -1) {
    const message = "An item names a product or a package, not both.";
    return err(brokenRule("PRODUCT_AND_PACKAGE", message, { field: `items[${both}]` }));
  }
  const length = drafts.reduce((sum, draft) => sum + draft.description.length, 0);
  if (length <= SIZES.descriptions) return ok();
  return err(
    invalid("items", "MAX_LENGTH", `must have at most ${SIZES.descriptions} characters of descriptions in all`),
  );
}

function present(id: string | null | undefined): boolean {
  return id !== null && id !== undefined;
}
