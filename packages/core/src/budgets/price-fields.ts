import { z } from "zod";
import { amount, quantity, SIZES, taxRate, unitPrice } from "../kernel/fields.js";
import { crossFieldCheck } from "../kernel/validation.js";
import { priceTiers, recurring } from "../pricing/line-fields.js";
import { key, taxIds, taxInput } from "../pricing/tax-fields.js";
import { MAX_TAXES } from "../pricing/tax-rule.js";

/** Several taxes, in place of a taxRate. */
export const taxesInput = z
  .array(
    z.union([
      key.describe("The id of a named tax of the business. The budget has a copy, which later changes do not reach."),
      taxInput,
    ]),
  )
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
    minimum: quantity.describe("The smallest quantity, with at most 6 decimals."),
    /** The largest quantity: the minimum and a whole number of steps. */
    maximum: quantity.describe("The largest quantity: the minimum and a whole number of steps."),
    /** The distance of two quantities. */
    step: quantity.describe("The distance of two quantities, with at most 6 decimals."),
  })
  .describe("The customer may set the quantity within it.")
  .meta({ id: "QuantityRange" });

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
export const oneTaxation = crossFieldCheck<Taxation>(({ value, issues }) => {
  if (value.taxes == null || value.taxRate === undefined) return;
  const message = "Give either taxes or taxRate.";
  issues.push({ code: "custom", message, input: value.taxRate, path: ["taxRate"], continue: true });
});
