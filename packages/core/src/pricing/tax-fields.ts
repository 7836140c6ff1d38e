import { z } from "zod";
import { decimalPlaces } from "../kernel/decimal.js";
import { taxRate } from "../kernel/fields.js";
import { MAX_TAXES, TAX_KINDS } from "./tax-rule.js";

const MAX_TAX_NAME = 60;

/** The name of a tax or of a choice, for lines and other taxes to name it. */
export const key = z
  .string()
  .min(1)
  .max(40)
  .regex(/^[A-Za-z0-9._-]+$/, "This may have letters, digits and . _ - only.");

/** Ids of taxes, each once. */
export const taxIds = z
  .array(key)
  .max(MAX_TAXES)
  .refine((ids) => new Set(ids).size === ids.length, {
    message: "must name each tax once",
    params: { code: "INVALID_VALUE" },
  });

const taxFields = {
  /** Lines and other taxes name it. */
  id: key.describe("1 to 40 letters, digits and . _ - by which lines and other taxes name it."),
  /** For people: IVA, VAT, USt. Default: the id. */
  name: z.string().trim().min(1).max(MAX_TAX_NAME).optional().describe("For people: IVA, VAT, USt. Default: the id."),
  /** 0 to 1. */
  rate: taxRate.refine((rate) => decimalPlaces(rate) <= 8, {
    message: "must have at most 8 decimals",
    params: { code: "INVALID_FORMAT" },
  }),
  /** A withholding lowers what is payable, not the total. Default `tax`. */
  kind: z.enum(TAX_KINDS).default("tax").describe("A withholding lowers what is payable, not the total."),
  /** True = the prices contain it. Default false. */
  inclusive: z.boolean().default(false).describe("True = the prices contain it."),
  /** Ids of the taxes that its base contains besides the net amount. Default none. */
  on: taxIds.default([]).describe("Ids of the taxes that its base contains besides the net amount."),
};

/** A tax of a budget in a request. */
export const taxInput = z
  .object(taxFields)
  .transform((tax) => ({ ...tax, name: tax.name ?? tax.id }))
  .meta({ id: "TaxInput" });

/** A named tax of a business in a request. */
export const namedTaxInput = z
  .object({
    ...taxFields,
    /** True = budgets that are created without taxes and without a taxRate have it. Default false. */
    default: z
      .boolean()
      .default(false)
      .describe("True = budgets that are created without taxes and without a taxRate have it. Default false."),
  })
  .transform((tax) => ({ ...tax, name: tax.name ?? tax.id }))
  .meta({ id: "NamedTaxInput" });

/** A named tax of a business as its users see it. */
export const namedTaxView = z
  .object({
    /** Budgets, products and other taxes name it. */
    id: z.string(),
    /** For people: IVA, VAT, USt. */
    name: z.string(),
    /** A fraction: 0.21 is 21 %. */
    rate: z.number(),
    /** A withholding lowers what is payable, not the total. */
    kind: z.enum(TAX_KINDS),
    /** True = the prices contain it. */
    inclusive: z.boolean(),
    /** Ids of the taxes that its base contains besides the net amount. */
    on: z.array(z.string()).readonly(),
    /** True = budgets that are created without taxes and without a taxRate have it. */
    default: z.boolean(),
  })
  .meta({ id: "NamedTax" });
