import { err, ok, Result } from "neverthrow";
import { z } from "zod";
import { currencyCode, description, hostId, metadata, SIZES, taxRate, unitPrice } from "../kernel/fields.js";
import { maxAmountOf } from "../kernel/money.js";
import type { Problem } from "../kernel/problem.js";
import { amountTooLarge } from "../pricing/totals-parts.js";
import { CATALOG_SIZES, name, sku } from "./catalog-fields.js";
import {
  checkPrices,
  checkTaxes,
  lineDefaultsInput,
  lineDefaultsOf,
  lineDefaultsView,
  lineDefaultsViewOf,
  priceDefaultsInput,
  priceDefaultsOf,
  priceDefaultsView,
  priceDefaultsViewOf,
} from "./line-defaults.js";
import { type Product, skuFieldsOf, type Variant } from "./product.js";
import { withChanges } from "./record.js";
import { type CatalogContext, type Resource, recordMembersOf, recordViewFields } from "./resource.js";

const optionText = z.string().min(1).max(SIZES.id);

const optionSchema = z.object({
  /** For people to read. */
  name: optionText,
  /** The values to choose from. */
  values: z.array(optionText).min(1).max(CATALOG_SIZES.optionValues),
});

const chosenOptions = z
  .record(optionText, optionText)
  .refine((value) => Object.keys(value).length <= CATALOG_SIZES.options, {
    message: `must have at most ${CATALOG_SIZES.options} keys`,
    params: { code: "MAX_LENGTH" },
  });

const variantSchema = z
  .object({
    /** The host's own id. Default: the service assigns one. */
    id: hostId.optional(),
    /** For people to read. */
    name,
    /** The host's code of the article; null = none. */
    sku: sku.nullable().default(null),
    /** The properties in which variants differ. */
    options: chosenOptions.default({}),
    /** In the currency's major unit; null = none. */
    unitPrice: unitPrice.nullable().default(null),
    ...priceDefaultsInput,
    /** False = no longer offered. */
    active: z.boolean().default(true),
  })
  .meta({ id: "VariantInput" });
type VariantInput = z.output<typeof variantSchema>;

const variantsSchema = z
  .array(variantSchema)
  .max(CATALOG_SIZES.variants)
  .superRefine((variants, context) => {
    const seen = new Set<string>();
    for (const [index, { id }] of variants.entries()) {
      if (id === undefined) continue;
      if (seen.has(id)) context.addIssue({ code: "custom", path: [index, "id"], message: "is given twice" });
      seen.add(id);
    }
  });

const fields = z.object({
  /** For people to read. */
  name,
  /** The host's code of the article; null = none. */
  sku: sku.nullable(),
  /** Free text; null = none. */
  description: description.nullable(),
  /** In the currency's major unit; null = none. */
  unitPrice: unitPrice.nullable(),
  ...lineDefaultsInput,
  /** An ISO 4217 code. */
  currency: currencyCode,
  /** Tax rate from 0 to 1; null = none. */
  taxRate: taxRate.nullable(),
  /** False = no longer offered. */
  active: z.boolean(),
  /** The properties in which variants differ. */
  options: z.array(optionSchema).max(CATALOG_SIZES.options),
  /** The variants of the product. */
  variants: variantsSchema,
  /** Free data of the client. */
  metadata,
});

export const updateProductSchema = fields.partial().meta({ id: "UpdateProduct" });
/** Changes of a product. Fields that are left out keep their values. */
export interface UpdateProduct extends z.input<typeof updateProductSchema> {}
export const createProductSchema = updateProductSchema
  .extend({
    /** The host's own id. Default: the service assigns one. */
    id: hostId.optional(),
    /** For people to read. */
    name,
  })
  .meta({ id: "CreateProduct" });
/** The content of a new product. */
export interface CreateProduct extends z.input<typeof createProductSchema> {}

export const productViewSchema = z
  .object({
    ...recordViewFields,
    /** For people to read. */
    name: z.string(),
    /** The host's code of the article; null = none. */
    sku: z.string().nullable(),
    /** Free text; null = none. */
    description: z.string().nullable(),
    /** In the currency's major unit; null = none. */
    unitPrice: z.number().nullable(),
    ...lineDefaultsView,
    /** An ISO 4217 code. */
    currency: z.string(),
    /** Tax rate from 0 to 1; null = none. */
    taxRate: z.number().nullable(),
    /** False = no longer offered. */
    active: z.boolean(),
    /** The properties in which variants differ. */
    options: z.array(
      z.object({
        /** For people to read. */
        name: z.string(),
        /** The values to choose from. */
        values: z.array(z.string()),
      }),
    ),
    /** The variants of the product. */
    variants: z.array(
      z.object({
        /** The host's own id. Default: the service assigns one. */
        id: z.string(),
        /** For people to read. */
        name: z.string(),
        /** The host's code of the article; null = none. */
        sku: z.string().nullable(),
        /** The properties in which variants differ. */
        options: z.record(z.string(), z.string()),
        /** In the currency's major unit; null = none. */
        unitPrice: z.number().nullable(),
        ...priceDefaultsView,
        /** False = no longer offered. */
        active: z.boolean(),
      }),
    ),
    /** Free data of the client. */
    metadata: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "Product" });
export type ProductView = z.infer<typeof productViewSchema>;

const EMPTY = {
  sku: null,
  description: null,
  unitPrice: null,
  currency: "USD",
  taxRate: null,
  active: true,
  options: [],
  variants: [],
  metadata: {},
} as const;

export const products: Resource<"product", ProductView, typeof createProductSchema, typeof updateProductSchema> = {
  kind: "product",
  createSchema: createProductSchema,
  updateSchema: updateProductSchema,
  viewSchema: productViewSchema,
  present: async (_context, records) => records.map(viewOf),
  make: async (context, base, { id: _, ...input }) =>
    withContent(context, { ...EMPTY, ...base, name: input.name }, input),
  change: withContent,
  fieldOf: (product, { taken, value }) =>
    taken === "sku" ? (skuFieldsOf(product).find(([sku]) => sku === value)?.[1] ?? taken) : taken,
};

/**
 * The product with the changes. A given list of variants replaces the stored one.
 * Errors: AMOUNT_TOO_LARGE, TIERS_NOT_ASCENDING, UNKNOWN_TAX; a conflict for a repeated sku.
 */
async function withContent(
  context: CatalogContext,
  current: Product,
  { variants, ...input }: z.output<typeof updateProductSchema>,
): Promise<Result<Product, Problem>> {
  const identified = variants === undefined ? undefined : await withIds(context, current.businessId, variants);
  const changed = withChanges(current, { ...input, variants: identified });
  const { unit, taxes, recurring, priceTiers, unitCost, ...own } = changed;
  const product: Product = { ...own, ...lineDefaultsOf({ unit, taxes, recurring, priceTiers, unitCost }) };
  const tooHigh = findTooHigh(product);
  if (tooHigh !== null) return err(amountTooLarge(tooHigh, product.currency));
  const checked = checkDefaults(product);
  if (checked.isErr()) return err(checked.error);
  const known = await checkTaxes(context, current.businessId, input.taxes);
  if (known.isErr()) return err(known.error);
  const skus = skuFieldsOf(product);
  const repeated = skus.find(([sku], index) => skus.findIndex(([other]) => other === sku) < index);
  if (repeated === undefined) return ok(product);
  const message = "The product has this sku more than once.";
  return err({ kind: "conflict", message, details: { field: repeated[1] } });
}

function checkDefaults({ variants, currency, ...product }: Product): Result<void, Problem> {
  const checks = variants.map((variant, index) => checkPrices(variant, currency, `variants[${index}].`));
  return Result.combine([checkPrices(product, currency), ...checks]).map(() => undefined);
}

/** The field of the first price that is too large for the currency; null = none. */
function findTooHigh({ unitPrice, variants, currency }: Product): string | null {
  const max = maxAmountOf(currency);
  if ((unitPrice ?? 0) > max) return "unitPrice";
  const index = variants.findIndex((variant) => (variant.unitPrice ?? 0) > max);
  return index === -1 ? null : `variants[${index}].unitPrice`;
}

/** Assigns an id to each variant without one. An assigned id differs from all given ones. */
async function withIds(
  { ids }: CatalogContext,
  businessId: string,
  variants: readonly VariantInput[],
): Promise<Variant[]> {
  const given = new Set(variants.map(({ id }) => id));
  const identified: Variant[] = [];
  for (const variant of variants) {
    let id = variant.id ?? (await ids.next(businessId));
    while (variant.id === undefined && given.has(id)) id = await ids.next(businessId);
    const { priceTiers, unitCost, ...others } = variant;
    identified.push({ ...others, ...priceDefaultsOf({ priceTiers, unitCost }), id });
  }
  return identified;
}

function viewOf(product: Product): ProductView {
  const { name, sku, description, unitPrice, currency, taxRate, active, options, variants, metadata } = product;
  return {
    ...recordMembersOf(product),
    name,
    sku,
    description,
    unitPrice,
    ...lineDefaultsViewOf(product),
    currency,
    taxRate,
    active,
    options: options.map(({ name, values }) => ({ name, values: [...values] })),
    variants: variants.map(({ priceTiers, unitCost, ...variant }) => ({
      ...variant,
      options: { ...variant.options },
      ...priceDefaultsViewOf({ priceTiers, unitCost }),
    })),
    metadata: { ...metadata },
  };
}
