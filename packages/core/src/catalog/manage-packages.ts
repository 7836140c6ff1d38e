import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { exponentOf } from "../kernel/currency.js";
import { decimalPlaces } from "../kernel/decimal.js";
import { amount, currencyCode, description, hostId, metadata, quantity } from "../kernel/fields.js";
import { toMinor } from "../kernel/money.js";
import { brokenRule, invalid, type Problem } from "../kernel/problem.js";
import type { CatalogContext } from "./catalog-context.js";
import { CATALOG_SIZES, name } from "./catalog-fields.js";
import { type Package, type PackageItem, packagePrice } from "./package.js";
import { productsIn } from "./packed-products.js";
import type { NamedProducts } from "./product-summary.js";
import { withChanges } from "./record.js";
import { recordMembersOf } from "./record-view.js";
import { type Resource, recordViewFields } from "./resource.js";
import { unknownReference } from "./unknown-reference.js";

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

/** The contract has no names for events of packages, so that nobody is told of them. */
export const packages: Resource<Package, PackageView, typeof createPackageSchema, typeof updatePackageSchema> = {
  name: "package",
  events: null,
  port: {
    insert: (store, bundle, events, receipt) => store.insertPackage(bundle, events, receipt),
    replace: (store, bundle, version, events, receipt) => store.replacePackage(bundle, version, events, receipt),
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
 * Errors: UNKNOWN_REFERENCE for a product or variant that the catalog has not; 400 for a price with more decimals than
 * its currency has; AMOUNT_TOO_LARGE.
 */
async function withContent(
  context: CatalogContext,
  current: Package,
  input: z.output<typeof updatePackageSchema>,
): Promise<Result<Package, Problem>> {
  const bundle = withChanges(current, input);
  const priced = checkPrice(bundle);
  if (priced.isErr()) return err(priced.error);
  if (input.items === undefined) return ok(bundle);
  const unknown = findUnknown(bundle.items, await productsIn(context, [bundle]));
  return unknown === null ? ok(bundle) : err(unknown);
}

function checkPrice({ price, currency }: Package): Result<void, Problem> {
  if (price === null) return ok();
  const places = exponentOf(currency);
  if (decimalPlaces(price) > places) {
    return err(invalid("price", "INVALID_FORMAT", `must have at most ${places} decimals in ${currency}`));
  }
  if (toMinor(price, currency) !== null) return ok();
  const message = "The amount is larger than the service can hold exactly.";
  return err(brokenRule("AMOUNT_TOO_LARGE", message, { field: "price" }));
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
