import type { Instant } from "../kernel/clock.js";
import type { Product } from "./product.js";

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
}

/** The catalog entries of the products that some items name. */
export interface NamedProducts {
  /** The variant, or the product if it has no such variant; null = the business has no such product. */
  find(name: ProductName): ProductSummary | null;
}

/** The summary of the product, then one of each variant, with the sku and price of the product as defaults. */
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
  }));
  return [{ productId, variantId: null, name, sku, unitPrice, currency, deletedAt }, ...variants];
}

/** The price of the named product or variant; null = no fixed price, or no such variant. */
export function unitPriceOf(found: ProductSummary, { variantId }: ProductName): number | null {
  return found.variantId === variantId ? found.unitPrice : null;
}
