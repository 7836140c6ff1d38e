import { err, ok, type Result } from "neverthrow";
import { type Package, packagePrice } from "../catalog/package.js";
import { productsIn } from "../catalog/packed-products.js";
import { labelOf, type Product, unitPriceOf } from "../catalog/product.js";
import type { Rounding } from "../kernel/decimal.js";
import { invalid, type Problem } from "../kernel/problem.js";
import type { BudgetItem, PackageSnapshot } from "./budget.js";
import type { BudgetContext } from "./budget-context.js";
import { lookUpNamed, newlyNaming } from "./references.js";

/** What the packages of a budget may hold in all, since each item carries what its package held. */
const MAX_PACKED = 2_000;

/**
 * The items, with a snapshot of the package in each that has come to name one: later changes of the catalog do not
 * reach the budget. Those of `before` keep theirs, and a package that the catalog does not know has none.
 * Errors: 400 MAX_LENGTH when the packages hold too much in all.
 */
export async function packItems(
  context: Pick<BudgetContext, "store" | "rounding">,
  businessId: string,
  items: readonly BudgetItem[],
  before: readonly BudgetItem[],
): Promise<Result<readonly BudgetItem[], Problem>> {
  const naming = newlyNaming(items, before);
  const { packages } = await lookUpNamed(
    context,
    businessId,
    naming.map((item) => ({ packageId: item?.packageId })),
  );
  if (packages.size === 0) return ok(items);
  const products = await productsIn(context, [...packages.values()]);
  const packed = items.map((item, index) => {
    const found = packages.get(naming[index]?.packageId ?? "");
    return found === undefined ? item : { ...item, package: snapshotOf(found, products, context.rounding) };
  });
  const held = packed.reduce((sum, item) => sum + (item.package?.items.length ?? 0), 0);
  if (held <= MAX_PACKED) return ok(packed);
  return err(invalid("items", "MAX_LENGTH", `must have packages of at most ${MAX_PACKED} items in all`));
}

function snapshotOf(bundle: Package, products: ReadonlyMap<string, Product>, rounding: Rounding): PackageSnapshot {
  const { id, name, currency } = bundle;
  const items = bundle.items.map(({ productId, variantId, quantity }) => {
    const product = products.get(productId);
    const known =
      product === undefined
        ? { name: null, sku: null, unitPrice: null }
        : { ...labelOf(product, variantId), unitPrice: unitPriceOf(product, variantId) };
    return { productId, variantId, ...known, quantity };
  });
  return { id, name, price: packagePrice(bundle, products, rounding), currency, items };
}
