import { isDeepStrictEqual } from "node:util";
import { err, ok, type Result } from "neverthrow";
import type { z } from "zod";
import { at, byId } from "../kernel/arrays.js";
import type { Rounding } from "../kernel/decimal.js";
import { fromMinor } from "../kernel/money.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { minorAmount } from "../pricing/given-totals.js";
import { lineTotalsOf } from "../pricing/line-amounts.js";
import type { LineDiscount } from "../pricing/line-discount.js";
import { isItem } from "../pricing/line-kind.js";
import type { PriceInput } from "../pricing/price.js";
import { tierPrice } from "../pricing/price-tiers.js";
import { isCounted } from "../pricing/selectable.js";
import type { TaxRule } from "../pricing/tax-rule.js";
import { totalsOfLines } from "../pricing/totals.js";
import type { Taxation } from "../pricing/totals-parts.js";
import type { Budget, BudgetItem } from "./budget.js";
import { checkItems, type ItemDraft, pricedItems } from "./items.js";
import { configurationAfter, configure, type LineConfiguration } from "./line-configuration.js";
import { discountOf, draftOf, foreignFieldsOf, type LineInput } from "./line-input.js";
import type { depositInput } from "./price-fields.js";
import { checkDeposit, checkPricing, depositField, depositFrom, storedFigures, taxationOf } from "./price-figures.js";

/** The changes that need a new price. An absent field stays as it is. */
export interface PriceChange {
  readonly items?: readonly ItemChange[] | undefined;
  readonly taxRate?: number | undefined; // replaces taxes, also those of lines
  readonly taxes?: readonly TaxRule[] | undefined; // replaces a rate
  readonly discountAmount?: number | undefined;
  readonly deposit?: z.output<typeof depositInput> | null | undefined; // null = none
}

/** Whether a request changes what needs a new price. */
export function changesPrice(change: { readonly [Field in keyof PriceChange]: unknown }): boolean {
  const { items, taxRate, taxes, discountAmount, deposit } = change;
  return [items, taxRate, taxes, discountAmount, deposit].some((each) => each !== undefined);
}

/** The changed fields of a line of the budget, or a whole new line. */
export interface ItemChange {
  readonly id: string | null; // null = a new line
  readonly fields: LineInput;
}

/**
 * The budget with new items, taxes, discount or deposit, and new totals. `newIds` holds an id for each new item. A budget
 * keeps the rounding by which it was first computed: `rounding` is for those that are older than this record of it.
 * Errors: UNKNOWN_ITEM, WRONG_LINE_KIND, TAX_RATE_REQUIRED, 400 for an amount with too many decimals, MINIMUM_ABOVE_TOTAL,
 * and those of checkItems, checkPricing, draftOf and the totals.
 */
export function reprice(
  budget: Budget,
  change: PriceChange,
  newIds: readonly string[],
  rounding: Rounding,
): Result<Budget, Problem> {
  if (change.items === undefined) return repriceLines(budget, budget.items, change, rounding);
  return mergeItems(budget, change.items, newIds).andThen((lines) => repriceLines(budget, lines, change, rounding));
}

/** {@link reprice} with lines that are merged already. */
export function repriceLines(
  budget: Budget,
  lines: readonly IdentifiedDraft[],
  change: Omit<PriceChange, "items">,
  rounding: Rounding,
): Result<Budget, Problem> {
  const drafts = change.taxRate === undefined ? lines : withoutTaxes(lines);
  const kinds = checkItems(drafts);
  if (kinds.isErr()) return err(kinds.error);
  const { currency } = budget;
  const discount =
    change.discountAmount === undefined
      ? ok(budget.discountAmount ?? budget.discount)
      : minorAmount("discountAmount", change.discountAmount, currency);
  if (discount.isErr()) return err(discount.error);
  const deposit = change.deposit === undefined ? ok(budget.deposit ?? null) : depositFrom(change.deposit, currency);
  if (deposit.isErr()) return err(deposit.error);
  const taxation = taxationAfter(budget, change);
  const checked = checkPricing(drafts, taxation);
  if (checked.isErr()) return err(checked.error);
  const terms = {
    currency,
    lines: drafts,
    discount: discount.value,
    taxation,
    rounding: budget.pricing?.rounding ?? rounding,
  };
  const priced = priceAgain(budget, terms);
  if (priced.isErr()) return err(priced.error);
  const { totals, figures } = priced.value;
  const affordable = checkDeposit(deposit.value, figures, drafts, currency);
  if (affordable.isErr()) return err(affordable.error);
  const ids = drafts.map((draft) => draft.id);
  const taxRate = taxation.kind === "rate" ? taxation.rate : null;
  const items = pricedItems(drafts, ids, totals);
  return ok({ ...withoutFigures(budget), ...depositField(deposit.value), ...figures, taxRate, items });
}

interface Terms extends PriceInput {
  readonly lines: readonly IdentifiedDraft[];
}

function priceAgain(budget: Budget, terms: Terms) {
  const totals = settledLineTotals(budget, terms).andThen((amounts) => totalsOfLines(amounts, terms));
  if (totals.isErr()) return err(totals.error);
  const taxed = terms.taxation.kind === "amount" ? checkTaxAmount(budget, totals.value) : ok(undefined);
  if (taxed.isErr()) return err(taxed.error);
  return storedFigures(totals.value, terms).map((figures) => ({ totals: totals.value, figures }));
}

function taxationAfter(budget: Budget, { taxRate, taxes }: PriceChange): Taxation {
  if (taxes !== undefined) return { kind: "taxes", taxes };
  return taxRate === undefined ? taxationOf(budget) : { kind: "rate", rate: taxRate };
}

/** A rate is on all lines. */
function withoutTaxes(drafts: readonly IdentifiedDraft[]): readonly IdentifiedDraft[] {
  return drafts.map(({ taxes: _former, ...draft }) => draft);
}

/** The budget without the figures that it need not have again. */
function withoutFigures(budget: Budget): Budget {
  const { taxes, withheld, discountAmount, recurring, cost, deposit, ...others } = budget;
  return others;
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
function settledLineTotals({ items, taxes }: Budget, terms: Terms): Result<Float64Array, Problem> {
  const amounts = lineTotalsOf(terms);
  if (taxes !== undefined) return amounts; // such a budget has computed figures alone
  const before = byId(items);
  return amounts.map((computed) =>
    computed.map((total, index) => {
      const draft = at(terms.lines, index);
      const item = before.get(draft.id);
      return item !== undefined && isItem(item) && isPricedAlike(item, draft) ? item.total : total;
    }),
  );
}

function isPricedAlike(item: BudgetItem, draft: ItemDraft): boolean {
  return PRICE.every((field) => item[field] === draft[field]) && isCounted(item) === isCounted(draft);
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
  const { kind } = item;
  const quantity = fields.quantity ?? item.quantity;
  const configuration = configurationAfter(item, hasOwnPrice(item, fields) ? { ...fields, priceTiers: null } : fields);
  const unitPrice = unitPriceAfter(item, fields, configuration);
  const configured = configure({ kind, quantity, unitPrice }, configuration, index);
  if (configured.isErr()) return err(configured.error);
  return discountAfter(item, fields, index, currency).map((discount) => ({
    id: item.id,
    kind,
    productId: productId === undefined ? item.productId : productId,
    variantId: variantId === undefined ? item.variantId : variantId,
    packageId,
    package: packageId === item.packageId ? item.package : undefined,
    description: fields.description ?? item.description,
    quantity,
    unit: fields.unit === undefined ? item.unit : (fields.unit ?? undefined),
    ...discount,
    ...configured.value,
  }));
}

/** Another price than that of a tier takes the place of the line's tiers, unless the change has tiers too. */
function hasOwnPrice(item: BudgetItem, fields: LineInput): boolean {
  const { unitPrice, priceTiers } = fields;
  return priceTiers === undefined && unitPrice !== undefined && !isPriceOfTier(item, fields);
}

/** The price that a line with tiers has is that of its tier: sent back, it is none below the first. */
function unitPriceAfter(item: BudgetItem, fields: LineInput, { priceTiers }: LineConfiguration): number | undefined {
  const { unitPrice, priceTiers: given } = fields;
  const hasTiers = priceTiers !== undefined && item.priceTiers !== undefined;
  const keepsTiers = given === undefined || isDeepStrictEqual(given, item.priceTiers);
  if (hasTiers && (unitPrice === undefined || (keepsTiers && isPriceOfTier(item, fields)))) return undefined;
  return unitPrice ?? item.unitPrice;
}

/** Whether the change has the price that the line has, or that its tiers give to the quantity of the change. */
function isPriceOfTier({ unitPrice: present, priceTiers }: BudgetItem, { unitPrice, quantity }: LineInput): boolean {
  if (unitPrice === present) return true;
  return priceTiers !== undefined && quantity !== undefined && unitPrice === tierPrice(priceTiers, quantity);
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
  return foreignFieldsOf(item.kind ?? "item").find((field) => isGiven(fields[field]));
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
