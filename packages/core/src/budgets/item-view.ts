import { z } from "zod";
import type { NamedProducts } from "../catalog/product-summary.js";
import { fromMinor } from "../kernel/money.js";
import type { BudgetItem, PackageSnapshot } from "./budget.js";
import {
  identifiedLines,
  internalExtras,
  itemExtras,
  itemKind,
  unpricedLineOf,
  withCost,
  withExtras,
} from "./line-view.js";

const packageSnapshotView = z
  .object({
    /** Assigned by the service. */
    id: z.string(),
    /** As it is now; null = not in the catalog. */
    name: z.string(),
    /** In the currency's major unit; null = the sum of the items. */
    price: z.number().nullable(),
    /** An ISO 4217 code. */
    currency: z.string(),
    /** The lines. */
    items: z.array(
      z.object({
        /** Id of the product. */
        productId: z.string(),
        /** Id of the variant of the product. */
        variantId: z.string().nullable(),
        /** As it is now; null = not in the catalog. */
        name: z.string().nullable(),
        /** The host's code of the article; null = none. */
        sku: z.string().nullable(),
        /** Price of one unit, in the currency's major unit. */
        unitPrice: z.number().nullable(),
        /** How many units. */
        quantity: z.number(),
      }),
    ),
  })
  .meta({ id: "PackageSnapshot" });

const itemView = z
  .object({
    /** Assigned by the service. */
    id: z.string(),
    /** Absent: a line without a kind is an item. */
    kind: itemKind,
    /** Id of the product. */
    productId: z.string().optional(),
    /** Id of the variant of the product. */
    variantId: z.string().optional(),
    /** Id of the package. */
    packageId: z.string().optional(),
    /** What is offered. */
    description: z.string(),
    /** How many units. */
    quantity: z.number(),
    /** Price of one unit, in the currency's major unit. */
    unitPrice: z.number(),
    ...itemExtras,
    ...internalExtras,
    /** quantity × unitPrice less the item's own discount, in the currency's major unit. */
    total: z.number(),
    /** Amount of tax, in the currency's major unit. */
    tax: z.number(),
    /** Amount of discount, in the currency's major unit. */
    discount: z.number(),
    /** The product, in short. */
    product: z
      .object({
        /** Assigned by the service. */
        id: z.string(),
        /** As it is now; null = not in the catalog. */
        name: z.string().nullable(),
        /** The host's code of the article; null = none. */
        sku: z.string().nullable(),
      })
      .optional(),
    /** What it held and cost when the item came to name it. */
    package: packageSnapshotView.optional().describe("What it held and cost when the item came to name it."),
  })
  .meta({ id: "BudgetItem", description: "Amounts are in the currency's major unit." });

/** A line of a budget as the business sees it. */
export const lineView = z.union([itemView, ...identifiedLines]);
type LineView = z.infer<typeof lineView>;

/** The name and the sku are those of the variant, if the product has it. */
export function productViewOf(id: string, variantId: string | null, products: NamedProducts) {
  const product = products.find({ productId: id, variantId });
  return { id, name: product?.name ?? null, sku: product?.sku ?? null };
}

export function packageViewOf(snapshot: PackageSnapshot): z.infer<typeof packageSnapshotView> {
  return { ...snapshot, items: snapshot.items.map((item) => ({ ...item })) };
}

export function itemViewOf(item: BudgetItem, currency: string): LineView {
  const unpriced = unpricedLineOf(item, currency);
  if (unpriced !== null) return { id: item.id, ...unpriced };
  const view = {
    id: item.id,
    ...(item.productId === null ? {} : { productId: item.productId }),
    ...(item.variantId === null ? {} : { variantId: item.variantId }),
    ...(item.packageId === null ? {} : { packageId: item.packageId }),
    description: item.description,
    quantity: item.quantity,
    unitPrice: item.unitPrice,
    total: fromMinor(item.total, currency),
    tax: fromMinor(item.tax, currency),
    discount: fromMinor(item.discount, currency),
  };
  return withCost(withExtras(view, item, currency), item);
}
