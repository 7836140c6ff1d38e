import { exponentOf } from "../kernel/currency.js";
import { decimalOf, multiply, type Rounding, roundTo } from "../kernel/decimal.js";
import { fromMinor, MAX_MINOR } from "../kernel/money.js";
import { searchTextOfFields } from "../kernel/search-text.js";
import { type NamedProducts, type ProductName, unitPriceOf } from "./product-summary.js";
import type { CatalogRecord } from "./record.js";

/** Products that are offered together, at a price of their own or at the sum of theirs. */
export interface Package extends CatalogRecord {
  readonly description: string | null;
  readonly price: number | null; // an amount of the currency; null = the sum of the items
  readonly currency: string; // ISO 4217
  readonly active: boolean; // false = no longer offered
  readonly items: readonly PackageItem[];
}

export interface PackageItem extends ProductName {
  readonly quantity: number; // read as an exact decimal
}

/** What a search looks through. */
export function packageSearchText({ name, description }: Package): string {
  return searchTextOfFields([name, description ?? ""]);
}

/**
 * What the package costs, in its currency: its own price, else the sum of its items, each line rounded as a budget's
 * lines are. Null where there is no such sum: an item's product is deleted, has no price or has it in another currency,
 * or the sum is larger than an amount may be.
 */
export function packagePrice(
  { price, currency, items }: Package,
  products: NamedProducts,
  rounding: Rounding,
): number | null {
  if (price !== null) return price;
  let sum = 0;
  for (const item of items) {
    const product = products.find(item);
    if (product === null || product.deletedAt !== null || product.currency !== currency) return null;
    const unitPrice = unitPriceOf(product, item);
    if (unitPrice === null) return null;
    const line = roundTo(multiply(decimalOf(item.quantity), decimalOf(unitPrice)), exponentOf(currency), rounding);
    if (typeof line === "bigint") return null;
    sum += line;
    if (sum > MAX_MINOR) return null;
  }
  return fromMinor(sum, currency);
}
