import { err, ok, type Result } from "neverthrow";
import { productsIn } from "../../catalog/named-products.js";
import { type Package, packagePrice } from "../../catalog/package.js";
import { type NamedProducts, unitPriceOf } from "../../catalog/product-summary.js";
import type { Rounding } from "../../kernel/decimal.js";
import { invalid, type Problem } from "../../kernel/problem.js";
import type { PackageSnapshot } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";
import { checkCustomerReference, checkItemReferences, type ItemReference, type Named } from "./references.js";

/** Bytes of JSON in all package snapshots of a budget. Each item carries the snapshot of its package. */
const MAX_BYTES = 65_536;

/** More package items than these exceed the bytes in any case, so that their products need no look-up. */
const MAX_ITEMS = 800;

interface Packed {
  readonly package?: PackageSnapshot | undefined;
}

/**
 * Checks the references of a budget's items, and adds a snapshot to each item that names a package.
 * `naming` holds null for each item whose references did not change. `named` has the catalog entries of the others.
 * Errors: those of checkReferences and packItems.
 */
export async function resolveItems<Item extends ItemReference & Packed>(
  context: Pick<BudgetContext, "store" | "references" | "rounding">,
  businessId: string,
  customerId: string | null, // null = not checked
  items: readonly Item[],
  named: Named | Promise<Named>,
  naming: readonly (ItemReference | null)[] = items,
): Promise<Result<readonly (Item & Packed)[], Problem>> {
  const [customer, entries] = await Promise.all([checkCustomerReference(context, businessId, customerId), named]);
  const known = customer.andThen(() => checkItemReferences(context, naming, entries));
  return known.isErr() ? err(known.error) : packItems(context, items, entries, naming);
}

/**
 * Adds a snapshot of the package to each item of `naming`: later changes of the catalog do not reach the budget. Other
 * items keep their snapshot. An item of an unknown package has none.
 * Errors: 400 MAX_LENGTH when the snapshots together are too large.
 */
export async function packItems<Item extends ItemReference & Packed>(
  context: Pick<BudgetContext, "store" | "rounding">,
  items: readonly Item[],
  { packages }: Named,
  naming: readonly (ItemReference | null)[] = items,
): Promise<Result<readonly (Item & Packed)[], Problem>> {
  const named = naming.map((item) => ({ packageId: item?.packageId }));
  if (packages.size === 0) return ok(items);
  const bundles = named.map(({ packageId }) => packages.get(packageId ?? ""));
  const held = items.reduce((sum, item, index) => sum + ((bundles[index] ?? item.package)?.items.length ?? 0), 0);
  if (held > MAX_ITEMS) return err(packagesTooLarge);
  const products = await productsIn(context, [...packages.values()]);
  const packed = items.map((item, index) => {
    const found = bundles[index];
    return found === undefined ? item : { ...item, package: snapshotOf(found, products, context.rounding) };
  });
  return packed.reduce((sum, item) => sum + bytesOf(item), 0) <= MAX_BYTES ? ok(packed) : err(packagesTooLarge);
}

const packagesTooLarge = invalid(
  "items",
  "MAX_LENGTH",
  `must have packages of at most ${MAX_BYTES} bytes of JSON in all`,
);

function bytesOf({ package: snapshot }: Packed): number {
  return snapshot === undefined ? 0 : Buffer.byteLength(JSON.stringify(snapshot));
}

function snapshotOf(bundle: Package, products: NamedProducts, rounding: Rounding): PackageSnapshot {
  const { id, name, currency } = bundle;
  const items = bundle.items.map((item) => {
    const { productId, variantId, quantity } = item;
    const product = products.find(item);
    const { name = null, sku = null } = product ?? {};
    const unitPrice = product === null ? null : unitPriceOf(product, item);
    return { productId, variantId, name, sku, unitPrice, quantity };
  });
  return { id, name, price: packagePrice(bundle, products, rounding), currency, items };
}
