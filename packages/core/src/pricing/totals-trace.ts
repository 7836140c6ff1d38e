import { numberAt } from "../kernel/arrays.js";
import { exponentOf } from "../kernel/currency.js";
import { type Decimal, decimalOf, decimalText } from "../kernel/decimal.js";
import type { Minor } from "../kernel/money.js";
import { floorOf, remainderOf } from "./allocate.js";
import type { AllocationStep, ContainedStep, TotalsStep } from "./totals-step.js";
import type { TraceStep } from "./trace-schema.js";

/** The steps of a computation, with all numbers in digits. */
export function totalsTraceOf(steps: readonly TotalsStep[], currency: string): TraceStep[] {
  const places = exponentOf(currency);
  const items = new Set(steps.flatMap((step) => (step.kind === "line" ? step.item : [])));
  return steps.map((step) => traceStepOf(step, places, items));
}

function traceStepOf(step: TotalsStep, places: number, items: ReadonlySet<number>): TraceStep {
  const major = (minor: Minor) => decimalText({ digits: minor, scale: places });
  switch (step.kind) {
    case "not-selected":
      return { step: "not-selected", item: step.item };
    case "item-discount":
      return itemDiscountTraceOf(step, places, major);
    case "section":
      return { step: "section", item: step.item, total: major(step.total) };
    case "subtotal":
      return { step: "subtotal", subtotal: major(step.subtotal) };
    case "taxable": {
      const { subtotal, discount, taxable } = step;
      return { step: "taxable", subtotal: major(subtotal), discount: major(discount), taxable: major(taxable) };
    }
    case "contained-tax":
      return containedTraceOf(step, major);
    case "tax":
      return {
        step: "tax",
        ...(step.tax === null ? {} : { tax: step.tax }),
        taxable: major(step.taxable),
        taxRate: shortest(decimalOf(step.rate)),
        exact: shortest(scaledDown(step.exact, places)),
        rounded: major(step.rounded),
        rule: step.rule,
      };
    case "withheld": {
      const { total, withheld, payable } = step;
      return { step: "withheld", total: major(total), withheld: major(withheld), payable: major(payable) };
    }
    case "total":
      return { step: "total", taxable: major(step.taxable), tax: major(step.tax), total: major(step.total) };
    case "allocation":
      return allocationTraceOf(step, major, items);
    case "line":
    case "cost":
      return productTraceOf(step, major);
    case "given":
    case "recurring":
    case "deposit":
    case "margin":
      return furtherTraceOf(step, places, major);
  }
}

/** A quantity × an amount. */
function productTraceOf(
  step: Extract<TotalsStep, { kind: "line" | "cost" }>,
  major: (minor: Minor) => string,
): TraceStep {
  const { item, rule } = step;
  const quantity = shortest(decimalOf(step.quantity));
  const exact = shortest(step.exact);
  const rounded = major(step.rounded);
  if (step.kind === "cost") {
    return { step: "cost", item, quantity, unitCost: shortest(decimalOf(step.unitCost)), exact, rounded, rule };
  }
  return { step: "line", item, quantity, unitPrice: shortest(decimalOf(step.unitPrice)), exact, rounded, rule };
}

type Further = Extract<TotalsStep, { kind: "given" | "recurring" | "deposit" | "margin" }>;

/** Of figures that the client has given, and of those beside the totals. */
function furtherTraceOf(step: Further, places: number, major: (minor: Minor) => string): TraceStep {
  switch (step.kind) {
    case "given":
      return {
        step: "given",
        field: step.item === null ? "tax" : `items[${step.item}].total`,
        computed: major(step.computed),
        given: major(step.given),
      };
    case "recurring": {
      const { items, interval, intervalCount, cycles, subtotal, tax, total } = step;
      const amounts = { subtotal: major(subtotal), tax: major(tax), total: major(total) };
      return { step: "recurring", items: [...items], interval, intervalCount, cycles, ...amounts };
    }
    case "deposit": {
      const { byRate, total, deposit } = step;
      const rated =
        byRate === null
          ? {}
          : {
              rate: shortest(decimalOf(byRate.rate)),
              exact: shortest(scaledDown(byRate.exact, places)),
              rule: byRate.rule,
            };
      return { step: "deposit", total: major(total), ...rated, deposit: major(deposit) };
    }
    case "margin": {
      const margin = step.margin < 0 ? `-${major(-step.margin)}` : major(step.margin);
      return { step: "margin", net: major(step.net), cost: major(step.cost), margin };
    }
  }
}

function containedTraceOf(step: ContainedStep, major: (minor: Minor) => string): TraceStep {
  const { items, taxes, gross, rate, amount, rule, net, shares, discount, netDiscount } = step;
  const whole = BigInt(rate.digits) + 10n ** BigInt(rate.scale);
  const product = BigInt(gross) * BigInt(rate.digits);
  return {
    step: "contained-tax",
    items: [...items],
    taxes: [...taxes],
    gross: major(gross),
    taxRate: shortest(rate),
    exact: `${product / whole} + ${product % whole}/${whole}`,
    rounded: major(amount),
    rule,
    net: major(net),
    shares: shares.map(major),
    discount: major(discount),
    netDiscount: major(netDiscount),
  };
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
  const { of, tax, amount, sum } = step;
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
    ...(tax === undefined ? {} : { tax }),
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
