import { err, ok, type Result } from "neverthrow";
import { type Package, packagePrice } from "../catalog/package.js";
import { productsIn } from "../catalog/packed-products.js";
import { type NamedProducts, unitPriceOf } from "../catalog/product-summary.js";
import type { Rounding } from "../kernel/decimal.js";
import { invalid, type Problem } from "../kernel/problem.js";
import type { PackageSnapshot } from "./budget.js";
import type { BudgetContext } from "./budget-context.js";
import { type ItemReference, lookUpNamed } from "./references.js";

/** Bytes of JSON that the packages of a budget may have in all, since each item carries what its package held. */
const MAX_BYTES = 65_536;

/** More items than these are larger than that whatever they are, and are refused without a look at their products. */
const MAX_ITEMS = 800;

interface Packed {
  readonly package?: PackageSnapshot | undefined;
}

/**
 * The items, with a snapshot of the package in each that has come to name one: later changes of the catalog do not
 * reach the budget. The others, which are null among `naming`, keep theirs, and a package that the catalog does not know
 * has none. Errors: 400 MAX_LENGTH when the packages are too large in all.
 */
export async function packItems<Item extends ItemReference & Packed>(
  context: Pick<BudgetContext, "store" | "rounding">,
  businessId: string,
  items: readonly Item[],
  naming: readonly (ItemReference | null)[] = items,
): Promise<Result<readonly (Item & Packed)[], Problem>> {
  const named = naming.map((item) => ({ packageId: item?.packageId }));
  const { packages } = await lookUpNamed(context, businessId, named);
  if (packages.size === 0) return ok(items);
  const bundles = named.map(({ packageId }) => packages.get(packageId ?? ""));
  const held = items.reduce((sum, item, index) => sum + ((bundles[index] ?? item.package)?.items.length ?? 0), 0);
  if (held > MAX_ITEMS) return err(tooLarge);
  const products = await productsIn(context, [...packages.values()]);
  const packed = items.map((item, index) => {
    const found = bundles[index];
    return found === undefined ? item : { ...item, package: snapshotOf(found, products, context.rounding) };
  });
  return packed.reduce((sum, item) => sum + bytesOf(item), 0) <= MAX_BYTES ? ok(packed) : err(tooLarge);
}

const tooLarge = invalid("items", "MAX_LENGTH", `must have packages of at most ${MAX_BYTES} bytes of JSON in all`);

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
