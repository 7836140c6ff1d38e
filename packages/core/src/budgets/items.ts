import { err, ok, type Result } from "neverthrow";
import { at, numberAt } from "../kernel/arrays.js";
import { SIZES } from "../kernel/fields.js";
import { brokenRule, invalid, type Problem } from "../kernel/problem.js";
import { isItem, type Kinded, sectionsOf } from "../pricing/line-kind.js";
import type { Line, LineTotals, Totals } from "../pricing/totals-parts.js";
import type { BudgetItem, PackageSnapshot } from "./budget.js";
import { configurationOf, isConfigured, type LineConfiguration } from "./line-configuration.js";
import type { ItemReference } from "./references/references.js";

/** A line before it is priced. One without a description has "". */
export interface ItemDraft extends Omit<Line, keyof LineConfiguration>, ItemReference, LineConfiguration {
  readonly package?: PackageSnapshot | undefined; // absent = no snapshot yet
  readonly description: string;
  readonly unit?: string | undefined;
}

/** The lines with their ids and figures. All lists have the same indexes. */
export function pricedItems(
  drafts: readonly ItemDraft[],
  ids: readonly string[],
  { lines, taxed }: Pick<Totals, "lines" | "taxed">,
): BudgetItem[] {
  const priced = drafts.map((draft, index): BudgetItem => {
    const item = pricedItem(draft, at(ids, index), index, lines);
    const own = isPlain(draft) ? item : withOwnFields(item, draft);
    const gross = taxed === undefined ? -1 : numberAt(taxed.gross, index);
    return gross < 0 ? own : { ...own, gross };
  });
  const { totals } = lines;
  for (const [index, { total }] of sectionsOf(drafts, totals)) priced[index] = { ...at(priced, index), total };
  return priced;
}

function pricedItem(draft: ItemDraft, id: string, index: number, { totals, discounts, taxes }: LineTotals): BudgetItem {
  return {
    id,
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
  };
}

function isPlain(draft: ItemDraft): boolean {
  const { kind, unit, discountRate, discountAmount } = draft;
  return (
    kind === undefined &&
    unit === undefined &&
    discountRate === undefined &&
    discountAmount === undefined &&
    !isConfigured(draft)
  );
}

function withOwnFields(item: BudgetItem, draft: ItemDraft): BudgetItem {
  const { kind, unit, discountRate, discountAmount } = draft;
  return {
    ...item,
    ...configurationOf(draft),
    ...(kind === undefined || kind === "item" ? {} : { kind }),
    ...(unit === undefined ? {} : { unit }),
    ...(discountRate === undefined ? {} : { discountRate }),
    ...(discountAmount === undefined ? {} : { discountAmount }),
  };
}

/**
 * Checks that there is an item and that none names both a product and a package, and bounds the descriptions of a budget
 * together: a page holds a hundred budgets.
 * Errors: NO_ITEMS; PRODUCT_AND_PACKAGE at the first such item; 400 MAX_LENGTH.
 */
export function checkItems(drafts: readonly Checked[]): Result<void, Problem> {
  if (!drafts.some(isItem)) return err(noItems);
  const both = drafts.findIndex((draft) => isNamed(draft.productId) && isNamed(draft.packageId));
  if (both !== -1) {
    const message = "An item names a product or a package, not both.";
    return err(brokenRule("PRODUCT_AND_PACKAGE", message, { field: `items[${both}]` }));
  }
  const length = drafts.reduce((sum, draft) => sum + (draft.description?.length ?? 0), 0);
  if (length <= SIZES.descriptions) return ok(undefined);
  return err(
    invalid("items", "MAX_LENGTH", `must have at most ${SIZES.descriptions} characters of descriptions in all`),
  );
}

interface Checked extends Kinded, ItemReference {
  readonly description?: string | undefined;
}

const noItems = brokenRule("NO_ITEMS", "A budget needs at least one line of the kind item.", { field: "items" });

function isNamed(id: string | null | undefined): boolean {
  return id !== null && id !== undefined;
}
