import { z } from "zod";
import { numberAt } from "../kernel/arrays.js";
import { exponentOf } from "../kernel/currency.js";
import { type Decimal, decimalOf, decimalText } from "../kernel/decimal.js";
import type { Minor } from "../kernel/money.js";
import { floorOf, remainderOf } from "./allocate.js";
import type { AllocationStep, TotalsStep } from "./totals-step.js";

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
export type TraceStep = z.infer<typeof traceStepSchema>;

/** The steps of a computation, with all numbers in digits. */
export function totalsTraceOf(steps: readonly TotalsStep[], currency: string): TraceStep[] {
  const places = exponentOf(currency);
  const items = new Set(steps.flatMap((step) => (step.kind === "line" ? step.item : [])));
  return steps.map((step) => traceStepOf(step, places, items));
}

function traceStepOf(step: TotalsStep, places: number, items: ReadonlySet<number>): TraceStep {
  const major = (minor: Minor) => decimalText({ digits: minor, scale: places });
  switch (step.kind) {
    case "line":
      return {
        step: "line",
        item: step.item,
        quantity: shortest(decimalOf(step.quantity)),
        unitPrice: shortest(decimalOf(step.unitPrice)),
        exact: shortest(step.exact),
        rounded: major(step.rounded),
        rule: step.rule,
      };
    case "item-discount":
      return itemDiscountTraceOf(step, places, major);
    case "section":
      return { step: "section", item: step.item, total: major(step.total) };
    case "given":
      return {
        step: "given",
        field: step.item === null ? "tax" : `items[${step.item}].total`,
        computed: major(step.computed),
        given: major(step.given),
      };
    case "subtotal":
      return { step: "subtotal", subtotal: major(step.subtotal) };
    case "taxable":
      return {
        step: "taxable",
        subtotal: major(step.subtotal),
        discount: major(step.discount),
        taxable: major(step.taxable),
      };
    case "tax":
      return {
        step: "tax",
        taxable: major(step.taxable),
        taxRate: shortest(decimalOf(step.rate)),
        exact: shortest(scaledDown(step.exact, places)),
        rounded: major(step.rounded),
        rule: step.rule,
      };
    case "total":
      return { step: "total", taxable: major(step.taxable), tax: major(step.tax), total: major(step.total) };
    case "allocation":
      return allocationTraceOf(step, major, items);
  }
}

function itemDiscountTraceOf(
  { item, gross, byRate, discount, total }: Extract<TotalsStep, { kind: "item-discount" }>,
  places: number,
  major: (minor: Minor) => string,
): TraceStep {
  const rated =
    byRate === null
      ? {}
      : {
          discountRate: shortest(decimalOf(byRate.rate)),
          exact: shortest(scaledDown(byRate.exact, places)),
          rule: byRate.rule,
        };
  return { step: "item-discount", item, gross: major(gross), ...rated, discount: major(discount), total: major(total) };
}

/** Lines that are no items have no share. */
function allocationTraceOf(
  step: AllocationStep,
  major: (minor: Minor) => string,
  items: ReadonlySet<number>,
): TraceStep {
  const { of, amount, sum } = step;
  const shares = Array.from(step.weights, (weight, index) => {
    const share = numberAt(step.shares, index);
    const floor = sum === 0 ? 0 : floorOf(amount, weight, sum);
    const fraction = sum === 0 ? "" : ` + ${remainderOf(amount, weight, sum, floor)}/${sum}`;
    return {
      item: index,
      weight: major(weight),
      exact: `${floor}${fraction}`,
      roundedDown: major(floor),
      extraUnit: sum !== 0 && share > floor,
      share: major(share),
    };
  });
  return {
    step: "spread",
    of,
    amount: major(amount),
    sum: major(sum),
    rule: "largest-remainder",
    shares: shares.filter((share) => items.has(share.item)),
  };
}

/** Without trailing zeros: "1.5". Amounts keep all the places of their currency. */
function shortest(value: Decimal): string {
  return decimalText(value)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");
}

/** A decimal of minor units in major units. */
function scaledDown({ digits, scale }: Decimal, places: number): Decimal {
  return { digits, scale: scale + places };
}
