import { z } from "zod";
import { decimalPlaces } from "../kernel/decimal.js";
import { amount, quantity, SIZES, taxRate, unitPrice } from "../kernel/fields.js";
import { MAX_TIERS } from "../pricing/price-tiers.js";
import { INTERVALS } from "../pricing/recurring.js";
import { MAX_TAXES, TAX_KINDS } from "../pricing/tax-rule.js";

const MAX_TAX_NAME = 60;
const MAX_CYCLES = 1_200;

/** The name of a tax or of a choice, for lines and other taxes to name it. */
const key = z
  .string()
  .min(1)
  .max(40)
  .regex(/^[A-Za-z0-9._-]+$/, "may have letters, digits and . _ - only");

/** Ids of taxes, each once. */
const taxIds = z
  .array(key)
  .max(MAX_TAXES)
  .refine((ids) => new Set(ids).size === ids.length, {
    message: "must name each tax once",
    params: { code: "INVALID_VALUE" },
  });

/** A tax of a budget in a request. */
export const taxInput = z
  .object({
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
    kind: z.enum(TAX_KINDS).default("tax"),
    /** True = the prices contain it. Default false. */
    inclusive: z.boolean().default(false),
    /** Ids of the taxes that its base contains besides the net amount. Default none. */
    on: taxIds.default([]),
  })
  .transform((tax) => ({ ...tax, name: tax.name ?? tax.id }))
  .meta({ id: "TaxInput" });

/** Several taxes, in place of a taxRate. */
export const taxesInput = z
  .array(taxInput)
  .min(1)
  .max(MAX_TAXES)
  .describe("Several taxes, in place of a taxRate: contained in the prices or not, on each other, or withheld.");

export const depositInput = z
  .object({
    /** Part of the total: 0.3 is 30 %. Not with amount. */
    rate: taxRate.optional().describe("Part of the total: 0.3 is 30 %. Not with amount."),
    /** In the currency's major unit. Not with rate. */
    amount: amount.optional(),
  })
  .refine(({ rate, amount }) => (rate === undefined) !== (amount === undefined), {
    message: "A deposit has a rate or an amount.",
    params: { code: "INVALID_VALUE" },
  })
  .describe("What must be paid before an acceptance counts: a part of the total, or an amount.")
  .meta({ id: "DepositInput" });

const quantityRange = z
  .object({
    /** The smallest quantity. */
    minimum: quantity,
    /** The largest quantity: the minimum and a whole number of steps. */
    maximum: quantity,
    /** The distance of two quantities. */
    step: quantity,
  })
  .describe("The customer may set the quantity within it.")
  .meta({ id: "QuantityRange" });

const priceTiers = z
  .array(
    z
      .object({
        /** The quantity from which the price applies. */
        from: quantity.or(z.literal(0)).describe("The quantity from which the price applies."),
        /** Price of one unit, in the currency's major unit. */
        unitPrice,
      })
      .meta({ id: "PriceTier" }),
  )
  .min(1)
  .max(MAX_TIERS)
  .describe("The price of a unit by quantity: that of the highest `from` that the quantity reaches.");

const recurring = z
  .object({
    /** Week, month or year. */
    interval: z.enum(INTERVALS),
    /** How many of them a cycle has. Default 1. */
    intervalCount: z.int().min(1).max(100).default(1),
    /** Cycles in all, with the first; null = until ended. Default null. */
    cycles: z.int().min(1).max(MAX_CYCLES).nullable().default(null),
  })
  .describe("Charged again each cycle. The first cycle is in the figures of the budget.")
  .meta({ id: "Recurrence" });

/** The fields of an item beside a fixed quantity and price. Null = none. */
export const itemConfiguration = {
  /** Ids of the taxes of the line. Absent = all of the budget, empty = none. */
  taxes: taxIds.nullish().describe("Ids of the taxes of the line. Absent = all of the budget, empty = none."),
  /** True = it counts only if selected. */
  optional: z.boolean().nullish().describe("True = it counts only if selected."),
  /** Of an optional line or an option of a choice. Default false. */
  selected: z.boolean().nullish().describe("Of an optional line or an option of a choice. Default false."),
  /** Key of the choice of which the line is an option. */
  choice: key.nullish().describe("Key of the choice of which the line is an option."),
  /** The customer may set the quantity within it. */
  quantityRange: quantityRange.nullish(),
  /** The price of a unit by quantity. */
  priceTiers: priceTiers.nullish(),
  /** Charged again each cycle. */
  recurring: recurring.nullish(),
  /** What a unit costs the business. Customers never see it. */
  unitCost: unitPrice.nullish().describe("What a unit costs the business. Customers never see it."),
};

/** The fields of a choice. */
export const choiceFields = {
  /** Its options name it. */
  key: key.describe("Its options name it as their `choice`."),
  /** How many options are selected at least. Default 1. */
  minimum: z.int().min(0).max(SIZES.items).optional().describe("How many options are selected at least. Default 1."),
  /** How many options are selected at most. Default 1. */
  maximum: z.int().min(1).max(SIZES.items).optional().describe("How many options are selected at most. Default 1."),
};

interface Taxation {
  readonly taxRate?: unknown;
  readonly taxes?: unknown;
}

/** A check of a schema: a budget has a taxRate or taxes, not both. */
export const oneTaxation = z.core._check<Taxation>(
  ({ value, issues }) => {
    if (value.taxes == null || value.taxRate === undefined) return;
    const message = "Give either taxes or taxRate.";
    issues.push({ code: "custom", message, input: value.taxRate, path: ["taxRate"], continue: true });
  },
  { when: ({ value, issues }) => typeof value === "object" && issues.every(({ path = [] }) => path.length > 0) },
);
