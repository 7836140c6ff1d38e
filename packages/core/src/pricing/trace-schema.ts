import { z } from "zod";
import { INTERVALS } from "./recurring.js";

/** The exact number in digits: "0.335". Amounts are in the currency's major unit. */
const decimal = z.string().regex(/^\d+(\.\d+)?$/);
const rule = z.enum(["half-up", "half-even"]);
const item = z.int().min(0);

/** One step of the computation of totals, so that an accountant can follow it. `item` counts from 0. */
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
      .object({ step: z.literal("not-selected"), item })
      .describe("A line that the customer may select, and that is not selected: it counts 0."),
    z
      .object({
        step: z.literal("item-discount"),
        item,
        gross: decimal,
        discountRate: decimal.optional(),
        exact: decimal.optional(),
        rule: rule.optional(),
        discount: decimal,
        total: decimal,
      })
      .describe("total = gross − discount; of a rate: exact = gross × discountRate, rounded by the rule"),
    z
      .object({ step: z.literal("given"), field: z.string(), computed: decimal, given: decimal })
      .describe("The client's figure stands in the place of the computed one."),
    z
      .object({ step: z.literal("section"), item, total: decimal })
      .describe("A line of the kind subtotal: the sum of the items' totals since the previous heading or subtotal."),
    z.object({ step: z.literal("subtotal"), subtotal: decimal }).describe("The sum of the items' totals."),
    z
      .object({ step: z.literal("taxable"), subtotal: decimal, discount: decimal, taxable: decimal })
      .describe("taxable = subtotal − discount"),
    z
      .object({
        step: z.literal("contained-tax"),
        items: z.array(item),
        taxes: z.array(z.string()).describe("Ids of the taxes that the prices of these items contain."),
        gross: decimal.describe("What the discount leaves of these items' amounts."),
        taxRate: decimal.describe("Of these taxes together."),
        exact: z
          .string()
          .describe("gross × taxRate ÷ (1 + taxRate), in whole minor units and a fraction of one: 12 + 3/7"),
        rounded: decimal,
        rule,
        net: decimal.describe("gross − rounded"),
        shares: z.array(decimal).describe("Of the taxes, by largest remainder."),
        discount: decimal.describe("Of the budget's discount, what these items got."),
        netDiscount: decimal.describe("The same without the taxes that it contains."),
      })
      .describe("The taxes that prices contain, taken out of them: one amount for the items with the same such taxes."),
    z
      .object({
        step: z.literal("tax"),
        tax: z.string().optional().describe("Id of the tax; absent = the one tax of the budget."),
        taxable: decimal,
        taxRate: decimal,
        exact: decimal,
        rounded: decimal,
        rule,
      })
      .describe("exact = taxable × taxRate, rounded to the currency's minor unit by the rule"),
    z
      .object({ step: z.literal("withheld"), total: decimal, withheld: decimal, payable: decimal })
      .describe("payable = total − withheld"),
    z
      .object({ step: z.literal("total"), taxable: decimal, tax: decimal, total: decimal })
      .describe("total = taxable + tax"),
    z
      .object({
        step: z.literal("spread"),
        of: z.enum(["discount", "tax"]),
        tax: z.string().optional().describe("Id of the tax; absent = the one tax of the budget."),
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
    z
      .object({
        step: z.literal("recurring"),
        items: z.array(item),
        interval: z.enum(INTERVALS),
        intervalCount: z.int(),
        cycles: z.int().nullable(),
        subtotal: decimal,
        tax: decimal,
        total: decimal,
      })
      .describe(
        "What each later cycle of these items costs, computed as a budget of these alone, without its discount.",
      ),
    z
      .object({
        step: z.literal("deposit"),
        total: decimal,
        rate: decimal.optional(),
        exact: decimal.optional(),
        rule: rule.optional(),
        deposit: decimal,
      })
      .describe("Of a rate: exact = total × rate, rounded by the rule; at most what is payable."),
    z
      .object({
        step: z.literal("cost"),
        item,
        quantity: decimal,
        unitCost: decimal,
        exact: decimal,
        rounded: decimal,
        rule,
      })
      .describe("exact = quantity × unitCost, rounded to the currency's minor unit by the rule"),
    z
      .object({ step: z.literal("margin"), net: decimal, cost: decimal, margin: z.string() })
      .describe("margin = net − cost, which may be negative; net is the subtotal less the discount."),
  ])
  .meta({ id: "TraceStep" });
export type TraceStep = z.infer<typeof traceStepSchema>;
