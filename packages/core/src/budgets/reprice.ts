import { err, ok, type Result } from "neverthrow";
import { at, byId } from "../kernel/arrays.js";
import type { Rounding } from "../kernel/decimal.js";
import { fromMinor } from "../kernel/money.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { minorAmount } from "../pricing/given-totals.js";
import { lineTotalsOf } from "../pricing/line-amounts.js";
import type { LineDiscount } from "../pricing/line-discount.js";
import { isItem } from "../pricing/line-kind.js";
import { totalsOfLines } from "../pricing/totals.js";
import type { Taxation } from "../pricing/totals-parts.js";
import type { Budget, BudgetItem } from "./budget.js";
import { checkItems, type ItemDraft, pricedItems } from "./items.js";
import { discountOf, draftOf, ITEM_FIELDS, type LineInput } from "./line-input.js";

/** The changes that need a new price. An absent field stays as it is. */
interface PriceChange {
  readonly items?: readonly ItemChange[] | undefined;
  readonly taxRate?: number | undefined;
  readonly discountAmount?: number | undefined;
}

/** The changed fields of a line of the budget, or a whole new line. */
export interface ItemChange {
  readonly id: string | null; // null = a new line
  readonly fields: LineInput;
}

/**
 * The budget with new items, rate or discount, and new totals. `newIds` holds an id for each new item.
 * Errors: UNKNOWN_ITEM, WRONG_LINE_KIND, TAX_RATE_REQUIRED, 400 for a discount with too many decimals, and those of
 * checkItems, discountOf and the totals.
 */
export function reprice(
  budget: Budget,
  change: PriceChange,
  newIds: readonly string[],
  rounding: Rounding,
): Result<Budget, Problem> {
  const listed = change.items === undefined ? ok(budget.items) : mergeItems(budget, change.items, newIds);
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
    lines: drafts,
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

/** An item with the same quantity, unit price and discount keeps its total, which can be a figure of the client. */
function settledLineTotals(
  { items, currency }: Budget,
  drafts: readonly IdentifiedDraft[],
  rounding: Rounding,
): Result<Float64Array, Problem> {
  const before = byId(items);
  return lineTotalsOf({ lines: drafts, currency, rounding }).map((computed) =>
    computed.map((total, index) => {
      const draft = at(drafts, index);
      const item = before.get(draft.id);
      return item !== undefined && isItem(item) && isPricedAlike(item, draft) ? item.total : total;
    }),
  );
}

function isPricedAlike(item: BudgetItem, draft: ItemDraft): boolean {
  return PRICE.every((field) => item[field] === draft[field]);
}

const PRICE = ["quantity", "unitPrice", "discountRate", "discountAmount"] as const;

interface IdentifiedDraft extends ItemDraft {
  readonly id: string;
}

/** The new list. An item with an id keeps the fields that the change leaves out. Items that are not listed are removed. */
function mergeItems(
  { items, currency }: Budget,
  changes: readonly ItemChange[],
  newIds: readonly string[],
): Result<IdentifiedDraft[], Problem> {
  const known = byId(items);
  const fresh = [...newIds];
  const merged: IdentifiedDraft[] = [];
  for (const [index, change] of changes.entries()) {
    if (change.id === null) {
      const draft = draftOf(change.fields, index, currency);
      if (draft.isErr()) return err(draft.error);
      merged.push({ ...draft.value, id: at(fresh.splice(0, 1), 0) });
      continue;
    }
    const item = known.get(change.id);
    if (item === undefined) return err(unknownItem(index, change.id));
    known.delete(item.id);
    const edited = withFields(item, change.fields, index, currency);
    if (edited.isErr()) return err(edited.error);
    merged.push(edited.value);
  }
  return ok(merged);
}

function withFields(
  item: BudgetItem,
  fields: LineInput,
  index: number,
  currency: string,
): Result<IdentifiedDraft, Problem> {
  const wrong = findForeignField(item, fields);
  if (wrong !== undefined) return err(wrongKind(`items[${index}].${wrong}`, item));
  const { productId, variantId, packageId = item.packageId } = fields;
  return discountAfter(item, fields, index, currency).map((discount) => ({
    id: item.id,
    kind: item.kind,
    productId: productId === undefined ? item.productId : productId,
    variantId: variantId === undefined ? item.variantId : variantId,
    packageId,
    package: packageId === item.packageId ? item.package : undefined,
    description: fields.description ?? item.description,
    quantity: fields.quantity ?? item.quantity,
    unitPrice: fields.unitPrice ?? item.unitPrice,
    unit: fields.unit === undefined ? item.unit : (fields.unit ?? undefined),
    ...discount,
  }));
}

/** A discount in one form replaces one in the other. Null removes that of its own form. */
function discountAfter(item: BudgetItem, fields: LineInput, index: number, currency: string) {
  const { discountRate, discountAmount } = fields;
  if (isGiven(discountRate) || isGiven(discountAmount)) return discountOf(fields, index, currency);
  return ok<LineDiscount>({
    discountRate: discountRate === undefined ? item.discountRate : undefined,
    discountAmount: discountAmount === undefined ? item.discountAmount : undefined,
  });
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The first field that the line cannot have, or its kind, which never changes. */
function findForeignField(item: BudgetItem, fields: LineInput): string | undefined {
  if (fields.kind !== undefined && fields.kind !== (item.kind ?? "item")) return "kind";
  return isItem(item) ? undefined : ITEM_FIELDS.find((field) => isGiven(fields[field]));
}

function wrongKind(field: string, item: BudgetItem): Problem {
  const message = "A line keeps its kind, and only an item has a price, a product and a discount.";
  return brokenRule("WRONG_LINE_KIND", message, { field, kind: item.kind ?? "item" });
}

function unknownItem(index: number, id: string): Problem {
  return brokenRule("UNKNOWN_ITEM", "The budget has no item of this id, or it is named twice.", {
    field: `items[${index}].id`,
    id,
  });
}
