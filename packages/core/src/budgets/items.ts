import { err, ok, type Result } from "neverthrow";
import { at, numberAt } from "../kernel/arrays.js";
import { SIZES } from "../kernel/fields.js";
import { brokenRule, invalid, type Problem } from "../kernel/problem.js";
import type { Line, LineTotals } from "../pricing/totals.js";
import type { BudgetItem, PackageSnapshot } from "./budget.js";
import type { ItemReference } from "./references/references.js";

/** An item before it is priced. */
export interface ItemDraft extends Line, ItemReference {
  readonly package?: PackageSnapshot | undefined; // absent = no snapshot yet
  readonly description: string;
}

/** The items with their ids and figures. All lists have the same indexes. */
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
 * Checks that no item names both a product and a package, and bounds the descriptions of a budget together: a page holds
 * a hundred budgets. Errors: PRODUCT_AND_PACKAGE at the first such item; 400 MAX_LENGTH.
 */
export function checkItems(drafts: readonly ItemDraft[]): Result<void, Problem> {
  const both = drafts.findIndex((draft) => isNamed(draft.productId) && isNamed(draft.packageId));
  if (both !== -1) {
    const message = "An item names a product or a package, not both.";
    return err(brokenRule("PRODUCT_AND_PACKAGE", message, { field: `items[${both}]` }));
  }
  const length = drafts.reduce((sum, draft) => sum + draft.description.length, 0);
  if (length <= SIZES.descriptions) return ok(undefined);
  return err(
    invalid("items", "MAX_LENGTH", `must have at most ${SIZES.descriptions} characters of descriptions in all`),
  );
}

function isNamed(id: string | null | undefined): boolean {
  return id !== null && id !== undefined;
}
