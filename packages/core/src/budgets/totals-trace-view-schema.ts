import { z } from "zod";

/** A number in digits, exactly as it was computed with: "0.335". Amounts are in the currency's major unit. */
const decimal = z.string().regex(/^\d+(\.\d+)?$/);
const rule = z.enum(["half-up", "half-even"]);
const item = z.int().min(0);

/** The computation of totals as an accountant can follow it; `item` counts from 0. */
export const traceStepSchema = z
  .discriminatedUnion("step", [
    z
      .object({
        step: z.literal("line"),
        item,
        quantity: decimal,
        unitPrice: decimal,
        exact: decimal,
        rounded: decimal,
        rule,
      })
      .describe("exact = quantity × unitPrice, rounded to the currency's minor unit by the rule"),
    z
      .object({ step: z.literal("given"), field: z.string(), computed: decimal, given: decimal })
      .describe("The client's figure stands in the place of the computed one."),
    z.object({ step: z.literal("subtotal"), subtotal: decimal }).describe("The sum of the items' totals."),
    z
      .object({ step: z.literal("taxable"), subtotal: decimal, discount: decimal, taxable: decimal })
      .describe("taxable = subtotal − discount"),
    z
      .object({ step: z.literal("tax"), taxable: decimal, taxRate: decimal, exact: decimal, rounded: decimal, rule })
      .describe("exact = taxable × taxRate, rounded to the currency's minor unit by the rule"),
    z
      .object({ step: z.literal("total"), taxable: decimal, tax: decimal, total: decimal })
      .describe("total = taxable + tax"),
    z
      .object({
        step: z.literal("spread"),
        of: z.enum(["discount", "tax"]),
        amount: decimal,
        sum: decimal.describe("Of the weights; at 0 the first item takes everything."),
        rule: z.literal("largest-remainder"),
        shares: z.array(
          z.object({
            item,
            weight: decimal.describe("The item's total; for the tax, what its discount leaves of it."),
            exact: z.string().describe("amount × weight ÷ sum, in whole minor units and a fraction of one: 12 + 3/7"),
            roundedDown: decimal,
            extraUnit: z
              .boolean()
              .describe("Its fraction was among the largest: it gets one of the minor units left over."),
            share: decimal,
          }),
        ),
      })
      .describe("The amount divided over the items in proportion to their weights."),
  ])
  .meta({ id: "TraceStep" });
