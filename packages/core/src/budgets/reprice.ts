import { err, ok, type Result } from "neverthrow";
import { at, byId } from "../kernel/arrays.js";
import type { Rounding } from "../kernel/decimal.js";
import { fromMinor } from "../kernel/money.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { minorAmount } from "../pricing/given-totals.js";
import { lineTotalsOf, type Taxation, totalsOfLines } from "../pricing/totals.js";
import type { Budget, BudgetItem } from "./budget.js";
import { checkItems, type ItemDraft, pricedItems } from "./items.js";

/** The changes that need a new price. An absent field stays as it is. */
interface PriceChange {
  readonly items?: readonly ItemChange[] | undefined;
  readonly taxRate?: number | undefined;
  readonly discountAmount?: number | undefined;
}

/** The changed fields of an item of the budget, or a whole new item. */
export type ItemChange =
  | { readonly id: string; readonly fields: { readonly [K in keyof ItemDraft]?: ItemDraft[K] | undefined } }
  | { readonly id: null; readonly fields: ItemDraft };

/**
 * The budget with new items, rate or discount, and new totals. `newIds` holds an id for each new item.
 * Errors: UNKNOWN_ITEM, PRODUCT_AND_PACKAGE, TAX_RATE_REQUIRED, 400 for a discount with too many decimals, and those of the totals.
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
  const totals = totalsOfLines(lineTotals.value, {
    currency: budget.currency,
    discount: discount.value,
    taxation,
    rounding,
  });
  if (totals.isErr()) return err(totals.error);
  const taxed = taxRate === null ? checkTaxAmount(budget, totals.value) : ok(undefined);
  if (taxed.isErr()) return err(taxed.error);
  const { lines, ...figures } = totals.value;
  const ids = drafts.map((draft) => draft.id);
  return ok({ ...budget, ...figures, taxRate, items: pricedItems(drafts, ids, lines) });
}

/**
 * A tax that the client gave as an amount belongs to the amount that it taxes. Where that changes, only the client knows
 * the new tax; no tax stays none. Errors: TAX_RATE_REQUIRED, with the former figures.
 */
function checkTaxAmount(
  { tax, subtotal, discount, currency }: Budget,
  after: Pick<Budget, "subtotal" | "discount">,
): Result<void, Problem> {
  const taxable = subtotal - discount;
  if (tax === 0 || after.subtotal - after.discount === taxable) return ok(undefined);
  const message =
    "The tax was given as an amount, and the amount that it taxes changes. Send taxRate in the same request: 0.21 is 21 %.";
  return err(
    brokenRule("TAX_RATE_REQUIRED", message, {
      field: "taxRate",
      tax: fromMinor(tax, currency),
      taxable: fromMinor(taxable, currency),
    }),
  );
}

/** A line with the same quantity and unit price keeps its total, which can be a figure of the client. */
function settledLineTotals(
  { items, currency }: Budget,
  drafts: readonly IdentifiedDraft[],
  rounding: Rounding,
): Result<Float64Array, Problem> {
  const before = byId(items);
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

/** The new list. An item with an id keeps the fields that the change leaves out. Items that are not listed are removed. */
function mergeItems(
  items: readonly BudgetItem[],
  changes: readonly ItemChange[],
  newIds: readonly string[],
): Result<IdentifiedDraft[], Problem> {
  const known = byId(items);
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
