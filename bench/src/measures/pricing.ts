import { priceBudget } from "../../../packages/core/src/pricing/price-budget.js";
import type { PricingInput, PricingLine, PricingTax } from "../../../packages/core/src/pricing/pricing-shapes.js";
import { type Benchmark, recorded } from "../harness/benchmark.js";
import { functionSide } from "../harness/function-side.js";
import { measureInTurn } from "../harness/rounds.js";

const LINES = 500;
const CHOICES = 20;
const OPTIONS = 10;

/** Three taxes that prices contain, four that are added and a withholding. Two are on the one before. */
const taxes = Array.from({ length: 8 }, (_, index): PricingTax => {
  const on = index === 2 || index === 5 ? [`tax-${index - 1}`] : [];
  const kind = index === 7 ? "withholding" : "tax";
  return { id: `tax-${index}`, rate: (index + 1) / 100, inclusive: index < 3, kind, on };
});

const choices = Array.from(
  { length: CHOICES },
  (_, index): PricingLine => ({ kind: "choice", key: `choice-${index}` }),
);
const configured = read({
  currency: "EUR",
  items: [...choices, ...Array.from({ length: LINES - CHOICES }, (_, index) => lineOf(index))],
  taxes,
  discountAmount: 1_234.5,
  deposit: { rate: 0.3 },
});

/** The same quantities and prices, and no more. */
const plain = read({
  currency: "EUR",
  items: Array.from({ length: LINES }, (_, index) => priceOf(index)),
  taxRate: 0.21,
  discountAmount: 1_234.5,
});

export const pricing: Benchmark = {
  title: "prices of 500 lines with 8 taxes and 20 choices, beside a plain budget of as many lines",
  run: async (settings) => {
    const [figures, withTrace, ofPlain] = await measureInTurn(
      [
        functionSide(
          "configured, the figures",
          repeat(() => priceBudget(configured)._unsafeUnwrap().total),
        ),
        functionSide(
          "configured, with the trace",
          repeat(() => priceBudget(configured)._unsafeUnwrap().trace),
        ),
        functionSide(
          "plain, the figures",
          repeat(() => priceBudget(plain)._unsafeUnwrap().total),
        ),
      ],
      settings,
    );
    return {
      measured: [figures, withTrace, ofPlain],
      figures: [
        { target: "pricing", value: figures.p50 / 1_000 },
        recorded("prices of 500 configured lines with the trace, p50", withTrace.p50 / 1_000, "ms"),
        recorded("prices of 500 plain lines, p50", ofPlain.p50 / 1_000, "ms"),
      ],
    };
  },
};

/** As a program has it that read it from JSON. */
function read(input: PricingInput): PricingInput {
  return JSON.parse(JSON.stringify(input));
}

function repeat(run: () => unknown) {
  return (count: number) => {
    for (let done = 0; done < count; done += 1) run();
  };
}

function priceOf(index: number) {
  return { quantity: (1 + ((index * 13) % 40)) / 4, unitPrice: (1_000 + ((index * 7_919) % 90_000)) / 100 };
}

/** Two fifths are options, a third has taxes of its own, some have tiers, and some recur. */
function lineOf(index: number): PricingLine {
  const isOption = index < CHOICES * OPTIONS;
  return {
    ...priceOf(index),
    ...(isOption ? { choice: `choice-${index % CHOICES}`, selected: index < CHOICES } : {}),
    ...(index % 3 === 0 ? { taxes: taxes.slice(index % 7).map(({ id }) => id) } : {}),
    ...(index % 5 === 0
      ? {
          priceTiers: [
            { from: 3, unitPrice: 4.5 },
            { from: 8, unitPrice: 4 },
          ],
        }
      : {}),
    ...(index % 11 === 0 ? { recurring: { interval: "month", intervalCount: 1, cycles: null }, unitCost: 3 } : {}),
  };
}
