import type { CatalogStore } from "./catalog-store.js";
import type { Package } from "./package.js";
import type { Product } from "./product.js";

/** The products that packages of one business hold, by their ids, deleted or not; one look-up for all. */
export async function productsIn(
  { store }: { readonly store: Pick<CatalogStore, "findProducts"> },
  packages: readonly Package[],
): Promise<ReadonlyMap<string, Product>> {
  const [first] = packages;
  const ids = [...new Set(packages.flatMap(({ items }) => items.map(({ productId }) => productId)))];
  const found = first === undefined ? [] : await store.findProducts(first.businessId, ids);
  return new Map(found.map((product) => [product.id, product]));
}
