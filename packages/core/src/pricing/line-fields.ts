import { z } from "zod";
import { quantityOrNone, SIZES, unitPrice } from "../kernel/fields.js";
import { areTooMany, MAX_TIERS } from "./price-tiers.js";
import { INTERVALS } from "./recurring.js";

const MAX_CYCLES = 1_200;

/** The unit of a quantity: "hours", "m²". */
export const unit = z.string().min(1).max(SIZES.unit).describe("The unit of the quantity: hours, m².");

export const priceTiers = z
  .array(
    z
      .object({
        /** The quantity from which the price applies. */
        from: quantityOrNone.describe("The quantity from which the price applies, with at most 6 decimals."),
        /** Price of one unit, in the currency's major unit. */
        unitPrice,
      })
      .meta({ id: "PriceTier" }),
  )
  .min(1)
  .max(MAX_TIERS + 1)
  .refine((tiers) => !areTooMany(tiers), {
    message: `must have at most ${MAX_TIERS} tiers beside one from 0`,
    params: { code: "MAX_LENGTH" },
  })
  .describe("The price of a unit by quantity: that of the highest `from` that the quantity reaches.");

export const recurring = z
  .object({
    /** Week, month or year. */
    interval: z.enum(INTERVALS).describe("The unit of a cycle."),
    /** How many of them a cycle has. Default 1. */
    intervalCount: z.int().min(1).max(100).default(1).describe("How many of them a cycle has."),
    /** Cycles in all, with the first; null = until ended. Default null. */
    cycles: z
      .int()
      .min(1)
      .max(MAX_CYCLES)
      .nullable()
      .default(null)
      .describe("Cycles in all, with the first; null = until ended."),
  })
  .describe("Charged again each cycle. The first cycle is in the figures of the budget.")
  .meta({ id: "Recurrence" });

export const priceTiersView = z.array(
  z.object({
    /** The quantity from which the price applies. */
    from: z.number(),
    /** Price of one unit, in the currency's major unit. */
    unitPrice: z.number(),
  }),
);

export const recurringView = z.object({
  /** Week, month or year. */
  interval: z.enum(INTERVALS),
  /** How many of them a cycle has. */
  intervalCount: z.int(),
  /** Cycles in all, with the first; null = until ended. */
  cycles: z.int().nullable(),
});
