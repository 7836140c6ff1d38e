import { err, ok, type Result } from "neverthrow";
import { distinctNames, lookUpProducts, unknownReference } from "../../catalog/named-products.js";
import type { Package } from "../../catalog/package.js";
import type { NamedProducts, ProductName } from "../../catalog/product-summary.js";
import { byId } from "../../kernel/arrays.js";
import type { Problem } from "../../kernel/problem.js";
import type { BudgetContext } from "../budget-context.js";

/** The catalog ids of an item; null or absent = none of the kind. */
export interface ItemReference {
  readonly productId?: string | null | undefined;
  readonly variantId?: string | null | undefined;
  readonly packageId?: string | null | undefined;
}

interface References {
  readonly customerId: string | null; // null = not checked
  readonly items: readonly (ItemReference | null)[]; // null = an item that is not checked
}

/** The catalog entries of some items, deleted ones included. */
export interface Named {
  readonly products: NamedProducts;
  readonly packages: ReadonlyMap<string, Package>;
}

/**
 * With strict references, checks that the catalog has the customer, products, variants and packages, and has not deleted
 * them. Errors: UNKNOWN_REFERENCE, also for an id of another business.
 */
export async function checkReferences(
  context: Pick<BudgetContext, "store" | "references">,
  businessId: string,
  { customerId, items }: References,
): Promise<Result<void, Problem>> {
  if (context.references === "open") return ok(undefined);
  const [customer, named] = await Promise.all([
    checkCustomerReference(context, businessId, customerId),
    lookUpNamed(context, businessId, items),
  ]);
  return customer.andThen(() => checkItemReferences(context, items, named));
}

/** The part of checkReferences about the customer; null = not checked. */
export async function checkCustomerReference(
  { references, store }: Pick<BudgetContext, "store" | "references">,
  businessId: string,
  customerId: string | null,
): Promise<Result<void, Problem>> {
  if (references === "open" || customerId === null) return ok(undefined);
  const customer = await store.findRecord("customer", businessId, customerId);
  return isGone(customer) ? err(unknownReference("customerId", customerId)) : ok(undefined);
}

/** The part of checkReferences about the items, whose catalog entries are looked up already. */
export function checkItemReferences(
  { references }: Pick<BudgetContext, "references">,
  items: References["items"],
  named: Named,
): Result<void, Problem> {
  if (references === "open") return ok(undefined);
  for (const [index, item] of items.entries()) {
    const unknown = item === null ? null : findUnknown(item, named);
    if (unknown !== null) return err(unknownReference(`items[${index}].${unknown.field}`, unknown.id));
  }
  return ok(undefined);
}

/** Whether the catalog may have something for the item. */
export function namesOffer({ productId, packageId }: ItemReference): boolean {
  return (productId ?? packageId ?? null) !== null;
}

const NOTHING: Named = { products: { find: () => null }, packages: new Map() };

/** The products and packages that items name, in at most two look-ups. */
export async function lookUpNamed(
  context: Pick<BudgetContext, "store">,
  businessId: string,
  naming: References["items"],
): Promise<Named> {
  const items = naming.filter((item) => item !== null);
  if (!items.some(namesOffer)) return NOTHING;
  const packageIds = [...new Set(items.flatMap(({ packageId }) => packageId ?? []))];
  const [products, packages] = await Promise.all([
    lookUpProducts(context, businessId, productNamesOf(items)),
    packageIds.length === 0 ? [] : context.store.findRecords("package", businessId, packageIds),
  ]);
  return { products, packages: byId(packages) };
}

/** The products that items name, each once. A variant without a product is ignored. */
export function productNamesOf(items: readonly ItemReference[]): readonly ProductName[] {
  const names: ProductName[] = [];
  for (const { productId = null, variantId = null } of items)
    if (productId !== null) names.push({ productId, variantId });
  return distinctNames(names);
}

/** The items; null for an item whose references are those of the item with its id among `before`. */
export function newlyNaming<Item extends ItemReference & { readonly id: string }>(
  items: readonly Item[],
  before: readonly Item[],
): (Item | null)[] {
  const known = byId(before);
  return items.map((item) => {
    const former = known.get(item.id);
    return former !== undefined && namesTheSame(item, former) ? null : item;
  });
}

export function namesTheSame(a: ItemReference, b: ItemReference): boolean {
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
