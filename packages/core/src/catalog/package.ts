import { exponentOf } from "../kernel/currency.js";
import { type Rounding, roundProduct } from "../kernel/decimal.js";
import { searchTextOfFields } from "../kernel/list-query.js";
import { fromMinor, maxMinorOf } from "../kernel/money.js";
import type { LineDefaults } from "./line-defaults.js";
import { type NamedProducts, type ProductName, unitPriceOf } from "./product-summary.js";
import type { CatalogRecord } from "./record.js";

/** Products that are sold together, at a price of the package or at the sum of their prices. */
export interface Package extends CatalogRecord, LineDefaults {
  readonly description: string | null;
  readonly price: number | null; // in the currency; null = the sum of the items
  readonly currency: string; // ISO 4217
  readonly active: boolean; // false = no longer offered
  readonly items: readonly PackageItem[];
}

export interface PackageItem extends ProductName {
  readonly quantity: number; // read as an exact decimal
}

/** The text that a search scans. */
export function packageSearchText({ name, description }: Package): string {
  return searchTextOfFields([name, description ?? ""]);
}

/**
 * The price in the package's currency: its own price, else the sum of its items, each rounded as a budget line is.
 * Null = no sum: the product of an item is unknown or deleted, has no price or another currency, or the sum is too large.
 */
export function packagePrice(
  { price, currency, items }: Package,
  products: NamedProducts,
  rounding: Rounding,
): number | null {
  if (price !== null) return price;
  const max = maxMinorOf(currency);
  let sum = 0;
  for (const item of items) {
    const product = products.find(item);
    if (product === null || product.deletedAt !== null || product.currency !== currency) return null;
    const unitPrice = unitPriceOf(product, item);
    if (unitPrice === null) return null;
    sum += roundProduct(item.quantity, unitPrice, exponentOf(currency), rounding);
    if (sum > max) return null;
  }
  return fromMinor(sum, currency);
}
