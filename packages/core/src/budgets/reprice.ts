import { err, ok, type Result } from "neverthrow";
import { at } from "../kernel/at.js";
import type { Rounding } from "../kernel/decimal.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import type { Budget, BudgetItem } from "./budget.js";
import { minorAmount } from "./given-totals.js";
import { checkItems, type ItemDraft, pricedItems } from "./items.js";
import { lineTotalsOf, type Taxation, totalsOfLines } from "./totals.js";

/** What a new price is made from; an absent field stays as it is. */
export interface PriceChange {
  readonly items?: readonly ItemChange[] | undefined;
  readonly taxRate?: number | undefined;
  readonly discountAmount?: number | undefined;
}

/** An item of the budget by its id with the fields that change, or a whole new one. */
export type ItemChange =
  | { readonly id: string; readonly fields: { readonly [K in keyof ItemDraft]?: ItemDraft[K] | undefined } }
  | { readonly id: null; readonly fields: ItemDraft };

/**
 * The budget with new items, rate or discount and the totals that follow. `newIds` holds an id for each new item.
 * A tax that the client gave as an amount stays that amount until a rate is named.
 * Errors: UNKNOWN_ITEM, PRODUCT_AND_PACKAGE, 400 for a discount with too many decimals, and those of the totals.
 */
export function reprice(
  budget: Budget,
  change: PriceChange,
  newIds: readonly string[],
  rounding: Rounding,
): Result<Budget, Problem> {
  const listed = change.items === undefined ? ok(budget.items) : mergeItems(budget.items, change.items, newIds);
  if (listed.isErr()) return err(listed.error);
  const drafts = listed.value;
  const kinds = checkItems(drafts);
  if (kinds.isErr()) return err(kinds.error);
  const discount =
    change.discountAmount === undefined
      ? ok(budget.discount)
      : minorAmount("discountAmount", change.discountAmount, budget.currency);
  if (discount.isErr()) return err(discount.error);
  const taxRate = change.taxRate ?? budget.taxRate;
  const taxation: Taxation =
    taxRate === null ? { kind: "amount", amount: budget.tax } : { kind: "rate", rate: taxRate };
  const lineTotals = settledLineTotals(budget, drafts, rounding);
  if (lineTotals.isErr()) return err(lineTotals.error);
  const totals = totalsOfLines(lineTotals.value, { discount: discount.value, taxation, rounding });
  if (totals.isErr()) return err(totals.error);
  const { lines, ...figures } = totals.value;
  const ids = drafts.map((draft) => draft.id);
  return ok({ ...budget, ...figures, taxRate, items: pricedItems(drafts, ids, lines) });
}

/** A line that is neither more nor dearer than before keeps its total, which the client may have given. */
function settledLineTotals(
  { items, currency }: Budget,
  drafts: readonly IdentifiedDraft[],
  rounding: Rounding,
): Result<Float64Array, Problem> {
  const before = new Map(items.map((item) => [item.id, item]));
  return lineTotalsOf({ lines: drafts, currency, rounding }).map((computed) =>
    computed.map((total, index) => {
      const { id, quantity, unitPrice } = at(drafts, index);
      const item = before.get(id);
      return item !== undefined && item.quantity === quantity && item.unitPrice === unitPrice ? item.total : total;
    }),
  );
}

interface IdentifiedDraft extends ItemDraft {
  readonly id: string;
}

/** The new list: items named by id keep what the change leaves out; those that it does not name are gone. */
function mergeItems(
  items: readonly BudgetItem[],
  changes: readonly ItemChange[],
  newIds: readonly string[],
): Result<IdentifiedDraft[], Problem> {
  const known = new Map(items.map((item) => [item.id, item]));
  const fresh = [...newIds];
  const merged: IdentifiedDraft[] = [];
  for (const [index, change] of changes.entries()) {
    if (change.id === null) {
      merged.push({ ...change.fields, id: at(fresh.splice(0, 1), 0) });
      continue;
    }
    const item = known.get(change.id);
    if (item === undefined) return err(unknownItem(index, change.id));
    known.delete(item.id);
    merged.push(withFields(item, change.fields));
  }
  return ok(merged);
}

function withFields(item: BudgetItem, fields: Extract<ItemChange, { id: string }>["fields"]): IdentifiedDraft {
  const { productId, variantId, packageId = item.packageId } = fields;
  return {
    id: item.id,
    productId: productId === undefined ? item.productId : productId,
    variantId: variantId === undefined ? item.variantId : variantId,
    packageId,
    package: packageId === item.packageId ? item.package : undefined,
    description: fields.description ?? item.description,
    quantity: fields.quantity ?? item.quantity,
    unitPrice: fields.unitPrice ?? item.unitPrice,
  };
}

function unknownItem(index: number, id: string): Problem {
  return brokenRule("UNKNOWN_ITEM", "The budget has no item of this id, or it is named twice.", {
    field: `items[${index}].id`,
    id,
  });
}
