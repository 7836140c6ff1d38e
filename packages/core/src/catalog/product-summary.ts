import type { Instant } from "../kernel/clock.js";
import type { Product } from "./product.js";

/** How items of budgets and packages name a product. */
export interface ProductName {
  readonly productId: string;
  readonly variantId: string | null; // null = the product itself
}

/** What budgets and packages take from a product or from one of its variants, however large the record is. */
export interface ProductSummary extends ProductName {
  readonly name: string;
  readonly sku: string | null;
  readonly unitPrice: number | null; // null = no fixed price
  readonly currency: string; // ISO 4217
  readonly deletedAt: Instant | null; // of the product; null = not deleted
}

/** What the catalog has of the products that some items name. */
export interface NamedProducts {
  /** The variant; the product itself where it has no such variant; null = the business has no such product. */
  find(name: ProductName): ProductSummary | null;
}

/** The product's own summary, then one of each variant: it has the product's sku and price where it has none itself. */
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

/** What one of that name costs by the summary that was found for it; null = no fixed price, or no such variant. */
export function unitPriceOf(found: ProductSummary, { variantId }: ProductName): number | null {
  return found.variantId === variantId ? found.unitPrice : null;
}
