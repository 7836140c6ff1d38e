import { searchTextOfFields } from "../kernel/list-query.js";
import type { LineDefaults, PriceDefaults } from "./line-defaults.js";
import type { CatalogRecord } from "./record.js";

/** A product or service, optionally in several variants. */
export interface Product extends CatalogRecord, LineDefaults {
  readonly description: string | null;
  readonly sku: string | null; // unique among all skus of the business's products and variants that are not deleted
  readonly unitPrice: number | null; // read as an exact decimal; null = no fixed price
  readonly currency: string; // ISO 4217
  readonly taxRate: number | null; // 0 to 1; null = unknown
  readonly active: boolean; // false = no longer offered
  readonly options: readonly ProductOption[];
  readonly variants: readonly Variant[];
}

/** A property in which the variants of a product differ. */
interface ProductOption {
  readonly name: string; // "Colour"
  readonly values: readonly string[]; // "red", "blue"
}

/** Its own price defaults go before those of the product; tiers of the product need a variant without a price of its own. */
export interface Variant extends PriceDefaults {
  readonly id: string; // unique within the product
  readonly name: string;
  readonly sku: string | null;
  readonly options: Readonly<Record<string, string>>; // {"Colour": "red"}
  readonly unitPrice: number | null; // null = the product's
  readonly active: boolean;
}

/** Each sku of the product and its variants, with its field. */
export function skuFieldsOf({ sku, variants }: Product): readonly (readonly [sku: string, field: string])[] {
  const all = [[sku, "sku"] as const, ...variants.map(({ sku }, index) => [sku, `variants[${index}].sku`] as const)];
  return all.flatMap(([value, field]) => (value === null ? [] : [[value, field] as const]));
}

/** The skus that no other product of the business may have; none when the product is deleted. */
export function skusHeldBy(product: Product): readonly string[] {
  return product.deletedAt === null ? [...new Set(skuFieldsOf(product).map(([sku]) => sku))] : [];
}

/** The text that a search scans. */
export function productSearchText({ name, sku, description, variants }: Product): string {
  const ofVariants = variants.flatMap((variant) => [variant.name, variant.sku ?? ""]);
  return searchTextOfFields([name, sku ?? "", description ?? "", ...ofVariants]);
}
