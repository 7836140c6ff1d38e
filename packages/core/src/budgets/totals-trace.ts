import type { z } from "zod";
import { numberAt } from "../kernel/at.js";
import { exponentOf } from "../kernel/currency.js";
import { type Decimal, decimalOf, decimalText } from "../kernel/decimal.js";
import type { Minor } from "../kernel/money.js";
import { floorOf, remainderOf } from "./spread.js";
import type { SpreadStep, TotalsStep } from "./totals-step.js";
import type { traceStepSchema } from "./totals-trace-view-schema.js";
export type TraceStep = z.infer<typeof traceStepSchema>;

/** The steps of a computation in digits. */
export function traceOf(steps: readonly TotalsStep[], currency: string): TraceStep[] {
  const places = exponentOf(currency);
  return steps.map((step) => traceStepOf(step, places));
}

function traceStepOf(step: TotalsStep, places: number): TraceStep {
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
    case "spread":
      return spreadTraceOf(step, major);
  }
}

function spreadTraceOf(step: SpreadStep, major: (minor: Minor) => string): TraceStep {
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
  return { step: "spread", of, amount: major(amount), sum: major(sum), rule: "largest-remainder", shares };
}

/** In as few digits as it has: "1.5", where an amount is always written with all the places of its currency. */
function shortest(value: Decimal): string {
  return decimalText(value)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");
}

/** A decimal of minor units in major ones. */
function scaledDown({ digits, scale }: Decimal, places: number): Decimal {
  return { digits, scale: scale + places };
}
