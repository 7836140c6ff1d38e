import { mapBy } from "../kernel/arrays.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import type { CatalogStore } from "./catalog-store.js";
import type { Package } from "./package.js";
import type { NamedProducts, ProductName, ProductSummary } from "./product-summary.js";

interface ProductsContext {
  readonly store: Pick<CatalogStore, "findProductSummaries">;
}

/** The products that items of one business name, deleted ones included. One look-up for all. */
export async function lookUpProducts(
  { store }: ProductsContext,
  businessId: string,
  items: readonly ProductName[],
): Promise<NamedProducts> {
  if (items.length === 0) return namedProducts([]);
  return namedProducts(await store.findProductSummaries(businessId, distinctNames(items)));
}

/** The names, each once. */
export function distinctNames(names: readonly ProductName[]): readonly ProductName[] {
  return [...mapBy(names, keyOf).values()];
}

/** The products in packages of one business, deleted ones included. One look-up for all. */
export async function productsIn(context: ProductsContext, packages: readonly Package[]): Promise<NamedProducts> {
  const [first] = packages;
  const items = packages.flatMap((bundle) => bundle.items);
  return first === undefined ? namedProducts([]) : lookUpProducts(context, first.businessId, items);
}

export function namedProducts(summaries: readonly ProductSummary[]): NamedProducts {
  const known = mapBy(summaries, keyOf);
  return {
    find: (name) => known.get(keyOf(name)) ?? known.get(name.productId) ?? null,
  };
}

/** Unique, because an id contains no blank. */
function keyOf({ productId, variantId }: ProductName): string {
  return variantId === null ? productId : `${productId} ${variantId}`;
}

/** The problem of an id that the catalog does not have, or has deleted. */
export function unknownReference(field: string, id: string): Problem {
  return brokenRule("UNKNOWN_REFERENCE", "The catalog does not know this id.", { field, id });
}
