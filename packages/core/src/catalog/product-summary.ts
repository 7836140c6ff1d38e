import type { Instant } from "../kernel/clock.js";
import { type LineDefaults, lineDefaultsOf } from "./line-defaults.js";
import type { Product, Variant } from "./product.js";

/** The reference of a budget or package item to a product. */
export interface ProductName {
  readonly productId: string;
  readonly variantId: string | null; // null = the product itself
}

/** The small part of a product, or of one of its variants, that budgets and packages use. */
export interface ProductSummary extends ProductName {
  readonly name: string;
  readonly sku: string | null;
  readonly unitPrice: number | null; // null = no fixed price
  readonly currency: string; // ISO 4217
  readonly deletedAt: Instant | null; // of the product; null = not deleted
  readonly defaults?: LineDefaults; // of the lines that name it; absent = none
}

/** The catalog entries of the products that some items name. */
export interface NamedProducts {
  /** The variant, or the product if it has no such variant; null = the business has no such product. */
  find(name: ProductName): ProductSummary | null;
}

/** The summary of the product, then one of each variant, with the sku, price and defaults of the product as defaults. */
export function summariesOf(product: Product): readonly [ProductSummary, ...ProductSummary[]] {
  const { id: productId, name, sku, unitPrice, currency, deletedAt } = product;
  const variants = product.variants.map((variant) => ({
    productId,
    variantId: variant.id,
    name: variant.name,
    sku: variant.sku ?? sku,
    unitPrice: variant.unitPrice ?? unitPrice,
    currency,
    deletedAt,
    ...defaultsField(defaultsOfVariant(product, variant)),
  }));
  const own = defaultsField(lineDefaultsOf(product));
  return [{ productId, variantId: null, name, sku, unitPrice, currency, deletedAt, ...own }, ...variants];
}

/** The tiers of a product are of its own price. */
function defaultsOfVariant(product: Product, variant: Variant): LineDefaults {
  const tiersOfProduct = variant.unitPrice === null ? product.priceTiers : undefined;
  return lineDefaultsOf({
    ...product,
    priceTiers: variant.priceTiers ?? tiersOfProduct,
    unitCost: variant.unitCost ?? product.unitCost,
  });
}

function defaultsField(defaults: LineDefaults): Pick<ProductSummary, "defaults"> {
  return Object.keys(defaults).length === 0 ? {} : { defaults };
}

/** The price of the named product or variant; null = no fixed price, or no such variant. */
export function unitPriceOf(found: ProductSummary, { variantId }: ProductName): number | null {
  return found.variantId === variantId ? found.unitPrice : null;
}
