import type { CatalogStore } from "./catalog-store.js";
import { lookUpProducts, namedProducts } from "./named-products.js";
import type { Package } from "./package.js";
import type { NamedProducts } from "./product-summary.js";

/** The products that packages of one business hold, deleted or not; one look-up for all. */
export async function productsIn(
  context: { readonly store: Pick<CatalogStore, "findProductSummaries"> },
  packages: readonly Package[],
): Promise<NamedProducts> {
  const [first] = packages;
  const items = packages.flatMap((bundle) => bundle.items);
  return first === undefined ? namedProducts([]) : lookUpProducts(context, first.businessId, items);
}
