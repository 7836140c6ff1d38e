import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { amount, currencyCode, description, hostId, metadata, quantity } from "../kernel/fields.js";
import type { Problem } from "../kernel/problem.js";
import { minorAmount } from "../pricing/given-totals.js";
import { CATALOG_SIZES, name } from "./catalog-fields.js";
import { productsIn, unknownReference } from "./named-products.js";
import { type Package, type PackageItem, packagePrice } from "./package.js";
import type { NamedProducts } from "./product-summary.js";
import { withChanges } from "./record.js";
import { type CatalogContext, type Resource, recordMembersOf, recordViewFields } from "./resource.js";

const itemSchema = z
  .object({
    productId: hostId,
    variantId: hostId.nullable().default(null),
    quantity,
  })
  .meta({ id: "PackageItemInput" });

const fields = z.object({
  name,
  description: description.nullable(),
  price: amount.nullable(),
  currency: currencyCode,
  active: z.boolean(),
  items: z.array(itemSchema).min(1).max(CATALOG_SIZES.packageItems),
  metadata,
});

export const updatePackageSchema = fields.partial().meta({ id: "UpdatePackage" });
export const createPackageSchema = updatePackageSchema
  .extend({
    id: hostId.optional(),
    name,
    items: fields.shape.items,
  })
  .meta({ id: "CreatePackage" });

const packageViewSchema = z
  .object({
    ...recordViewFields,
    name: z.string(),
    description: z.string().nullable(),
    price: z.number().nullable(),
    effectivePrice: z.number().nullable().describe("The price, else the sum of the items; null = no such sum."),
    currency: z.string(),
    active: z.boolean(),
    items: z.array(z.object({ productId: z.string(), variantId: z.string().nullable(), quantity: z.number() })),
    metadata: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "Package" });
export type PackageView = z.infer<typeof packageViewSchema>;

const EMPTY = { description: null, price: null, currency: "USD", active: true, metadata: {} } as const;

/** The contract has no events of packages. */
export const packages: Resource<Package, PackageView, typeof createPackageSchema, typeof updatePackageSchema> = {
  name: "package",
  events: null,
  port: {
    insert: (store, ...args) => store.insertPackage(...args),
    replace: (store, ...args) => store.replacePackage(...args),
    find: async (store, businessId, id) => (await store.findPackages(businessId, [id]))[0] ?? null,
    list: (store, businessId, query) => store.listPackages(businessId, query),
  },
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
 * decimals than its currency has; AMOUNT_TOO_LARGE.
 */
async function withContent(
  context: CatalogContext,
  current: Package,
  input: z.output<typeof updatePackageSchema>,
): Promise<Result<Package, Problem>> {
  const bundle = withChanges(current, input);
  if (bundle.price !== null) {
    const price = minorAmount("price", bundle.price, bundle.currency);
    if (price.isErr()) return err(price.error);
  }
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
    currency,
    active,
    items: items.map((item) => ({ ...item })),
    metadata: { ...metadata },
  };
}
