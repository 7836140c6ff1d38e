import type { CatalogStore } from "./catalog-store.js";
import type { NamedProducts, ProductName, ProductSummary } from "./product-summary.js";

/** The products that items of one business name, deleted or not; one look-up for all. */
export async function lookUpProducts(
  { store }: { readonly store: Pick<CatalogStore, "findProductSummaries"> },
  businessId: string,
  items: readonly ProductName[],
): Promise<NamedProducts> {
  if (items.length === 0) return namedProducts([]);
  const names = new Map(items.map((item) => [keyOf(item), item]));
  return namedProducts(await store.findProductSummaries(businessId, [...names.values()]));
}

export function namedProducts(summaries: readonly ProductSummary[]): NamedProducts {
  const known = new Map(summaries.map((summary) => [keyOf(summary), summary]));
  return {
    find: (name) => known.get(keyOf(name)) ?? known.get(keyOf({ ...name, variantId: null })) ?? null,
  };
}

/** No id has a blank in it. */
function keyOf({ productId, variantId }: ProductName): string {
  return variantId === null ? productId : `${productId} ${variantId}`;
}
