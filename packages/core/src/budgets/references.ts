import { err, ok, type Result } from "neverthrow";
import { lookUpProducts } from "../catalog/named-products.js";
import type { Package } from "../catalog/package.js";
import type { NamedProducts, ProductName } from "../catalog/product-summary.js";
import { unknownReference } from "../catalog/unknown-reference.js";
import type { Problem } from "../kernel/problem.js";
import type { BudgetContext } from "./budget-context.js";

/** What an item names of the catalog; null or absent = nothing of the kind. */
export interface ItemReference {
  readonly productId?: string | null | undefined;
  readonly variantId?: string | null | undefined;
  readonly packageId?: string | null | undefined;
}

/** What a budget names of the catalog. */
interface References {
  readonly customerId: string | null; // null = not to be asked about
  readonly items: readonly (ItemReference | null)[]; // null = an item that is not to be asked about
}

/** What the catalog has of what items name, whether it is deleted or not. */
interface Named {
  readonly products: NamedProducts;
  readonly packages: ReadonlyMap<string, Package>;
}

/**
 * With strict references, checks that the catalog has the customer, and each product, variant and package, and has not
 * deleted them. Errors: UNKNOWN_REFERENCE, the same for an id of another business as for one that nobody has.
 */
export async function checkReferences(
  context: Pick<BudgetContext, "store" | "references">,
  businessId: string,
  { customerId, items }: References,
): Promise<Result<void, Problem>> {
  if (context.references === "open") return ok();
  if (customerId !== null) {
    const customer = await context.store.findCustomer(businessId, customerId);
    if (isGone(customer)) return err(unknownReference("customerId", customerId));
  }
  const named = await lookUpNamed(
    context,
    businessId,
    items.filter((item) => item !== null),
  );
  for (const [index, item] of items.entries()) {
    const unknown = item === null ? null : findUnknown(item, named);
    if (unknown !== null) return err(unknownReference(`items[${index}].${unknown.field}`, unknown.id));
  }
  return ok();
}

/** The products and packages that items name, in at most two look-ups. */
export async function lookUpNamed(
  context: Pick<BudgetContext, "store">,
  businessId: string,
  items: readonly ItemReference[],
): Promise<Named> {
  const packageIds = [...new Set(items.flatMap(({ packageId }) => packageId ?? []))];
  const [products, packages] = await Promise.all([
    lookUpProducts(context, businessId, productNamesOf(items)),
    packageIds.length === 0 ? [] : context.store.findPackages(businessId, packageIds),
  ]);
  return { products, packages: new Map(packages.map((bundle) => [bundle.id, bundle])) };
}

/** The products that items name; a variant of no product is none. */
export function productNamesOf(items: readonly ItemReference[]): readonly ProductName[] {
  return items.flatMap(({ productId = null, variantId = null }) =>
    productId === null ? [] : { productId, variantId },
  );
}

/** The items in their places; null for one that names what the item of its id among `before` names as well. */
export function newlyNaming<Item extends ItemReference & { readonly id: string }>(
  items: readonly Item[],
  before: readonly Item[],
): (Item | null)[] {
  const known = new Map(before.map((item) => [item.id, item]));
  return items.map((item) => {
    const former = known.get(item.id);
    return former !== undefined && namesTheSame(item, former) ? null : item;
  });
}

function namesTheSame(a: ItemReference, b: ItemReference): boolean {
  return a.productId === b.productId && a.variantId === b.variantId && a.packageId === b.packageId;
}

function findUnknown(item: ItemReference, { products, packages }: Named): UnknownId | null {
  const { productId = null, variantId = null, packageId = null } = item;
  const product = productId === null ? null : products.find({ productId, variantId });
  if (productId !== null && isGone(product)) return { field: "productId", id: productId };
  if (variantId !== null && product?.variantId !== variantId) {
    return { field: "variantId", id: variantId };
  }
  return packageId !== null && isGone(packages.get(packageId)) ? { field: "packageId", id: packageId } : null;
}

interface UnknownId {
  readonly field: keyof ItemReference;
  readonly id: string;
}

function isGone(record: { readonly deletedAt: number | null } | null | undefined): boolean {
  return record === null || record === undefined || record.deletedAt !== null;
}
