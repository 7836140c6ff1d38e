import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { amount, currencyCode, description, hostId, metadata, quantity } from "../kernel/fields.js";
import type { Problem } from "../kernel/problem.js";
import { minorAmount } from "../pricing/given-totals.js";
import { CATALOG_SIZES, name } from "./catalog-fields.js";
import {
  checkPrices,
  checkTaxes,
  lineDefaultsInput,
  lineDefaultsOf,
  lineDefaultsView,
  lineDefaultsViewOf,
} from "./line-defaults.js";
import { productsIn, unknownReference } from "./named-products.js";
import { type Package, type PackageItem, packagePrice } from "./package.js";
import type { NamedProducts } from "./product-summary.js";
import { withChanges } from "./record.js";
import { type CatalogContext, type Resource, recordMembersOf, recordViewFields } from "./resource.js";

const itemSchema = z
  .object({
    /** Id of a product of the catalog. */
    productId: hostId,
    /** Id of a variant of the product; null = none. */
    variantId: hostId.nullable().default(null),
    /** How many units, with up to 6 decimals. */
    quantity,
  })
  .meta({ id: "PackageItemInput" });

const fields = z.object({
  /** For people to read. */
  name,
  /** Free text; null = none. */
  description: description.nullable(),
  /** In the currency's major unit; null = the sum of the items. */
  price: amount.nullable(),
  ...lineDefaultsInput,
  /** An ISO 4217 code. */
  currency: currencyCode,
  /** False = no longer offered. */
  active: z.boolean(),
  /** The products in the package. */
  items: z.array(itemSchema).min(1).max(CATALOG_SIZES.packageItems),
  /** Free data of the client. */
  metadata,
});

export const updatePackageSchema = fields.partial().meta({ id: "UpdatePackage" });
/** Changes of a package. Fields that are left out keep their values. */
export interface UpdatePackage extends z.input<typeof updatePackageSchema> {}
export const createPackageSchema = updatePackageSchema
  .extend({
    /** The host's own id. Default: the service assigns one. */
    id: hostId.optional(),
    /** For people to read. */
    name,
    /** The products in the package. */
    items: fields.shape.items,
  })
  .meta({ id: "CreatePackage" });
/** The content of a new package. */
export interface CreatePackage extends z.input<typeof createPackageSchema> {}

const packageViewSchema = z
  .object({
    ...recordViewFields,
    /** For people to read. */
    name: z.string(),
    /** Free text; null = none. */
    description: z.string().nullable(),
    /** In the currency's major unit; null = the sum of the items. */
    price: z.number().nullable(),
    /** The price, else the sum of the items; null = no such sum. */
    effectivePrice: z.number().nullable().describe("The price, else the sum of the items; null = no such sum."),
    ...lineDefaultsView,
    /** An ISO 4217 code. */
    currency: z.string(),
    /** False = no longer offered. */
    active: z.boolean(),
    /** The products in the package. */
    items: z.array(
      z.object({
        /** Id of a product of the catalog. */
        productId: z.string(),
        /** Id of a variant of the product; null = none. */
        variantId: z.string().nullable(),
        /** How many units, with up to 6 decimals. */
        quantity: z.number(),
      }),
    ),
    /** Free data of the client. */
    metadata: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "Package" });
export type PackageView = z.infer<typeof packageViewSchema>;

const EMPTY = { description: null, price: null, currency: "USD", active: true, metadata: {} } as const;

/** The contract has no events of packages: their changes leave audit entries. */
export const packages: Resource<"package", PackageView, typeof createPackageSchema, typeof updatePackageSchema> = {
  kind: "package",
  createSchema: createPackageSchema,
  updateSchema: updatePackageSchema,
  viewSchema: packageViewSchema,
  present: async (context, records) => {
    const summed = records.filter(({ price }) => price === null);
    const products = await productsIn(context, summed);
    return records.map((bundle) => viewOf(bundle, packagePrice(bundle, products, context.rounding)));
  },
  make: async (context, base, { id: _, ...input }) =>
    withContent(context, { ...EMPTY, ...base, name: input.name, items: input.items }, input),
  change: withContent,
  fieldOf: (_bundle, { taken }) => taken,
};

/**
 * The package with the changes. Errors: UNKNOWN_REFERENCE for an unknown product or variant; 400 for a price with more
 * decimals than its currency has; AMOUNT_TOO_LARGE, TIERS_NOT_ASCENDING, UNKNOWN_TAX.
 */
async function withContent(
  context: CatalogContext,
  current: Package,
  input: z.output<typeof updatePackageSchema>,
): Promise<Result<Package, Problem>> {
  const { unit, taxes, recurring, priceTiers, unitCost, ...own } = withChanges(current, input);
  const bundle: Package = { ...own, ...lineDefaultsOf({ unit, taxes, recurring, priceTiers, unitCost }) };
  if (bundle.price !== null) {
    const price = minorAmount("price", bundle.price, bundle.currency);
    if (price.isErr()) return err(price.error);
  }
  const prices = checkPrices(bundle, bundle.currency);
  if (prices.isErr()) return err(prices.error);
  const known = await checkTaxes(context, current.businessId, input.taxes);
  if (known.isErr()) return err(known.error);
  if (input.items === undefined) return ok(bundle);
  const unknown = findUnknown(bundle.items, await productsIn(context, [bundle]));
  return unknown === null ? ok(bundle) : err(unknown);
}

function findUnknown(items: readonly PackageItem[], products: NamedProducts): Problem | null {
  for (const [index, item] of items.entries()) {
    const { productId, variantId } = item;
    const product = products.find(item);
    if (product === null || product.deletedAt !== null) {
      return unknownReference(`items[${index}].productId`, productId);
    }
    if (variantId !== null && product.variantId !== variantId) {
      return unknownReference(`items[${index}].variantId`, variantId);
    }
  }
  return null;
}

function viewOf(bundle: Package, effectivePrice: number | null): PackageView {
  const { name, description, price, currency, active, items, metadata } = bundle;
  return {
    ...recordMembersOf(bundle),
    name,
    description,
    price,
    effectivePrice,
    ...lineDefaultsViewOf(bundle),
    currency,
    active,
    items: items.map((item) => ({ ...item })),
    metadata: { ...metadata },
  };
}
