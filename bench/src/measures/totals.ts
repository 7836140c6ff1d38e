import { add, allocate, type Dinero, dinero, halfUp, multiply, subtract, toSnapshot, transformScale } from "dinero.js";
import { USD } from "dinero.js/currencies";
import { computeTotals } from "../../../packages/core/src/pricing/totals.js";
import { type Benchmark, rateRatio } from "../harness/benchmark.js";
import { functionSide } from "../harness/function-side.js";
import { measureInTurn } from "../harness/rounds.js";

const ITEMS = 1_000;
const CENTS = 2;
const DISCOUNT = 12_345;
const RATE = { amount: 21, scale: 2 };

/** Quantities up to ten, some with two decimals, and prices from 10 to 910. */
const lines = Array.from({ length: ITEMS }, (_, index) => ({
  quantity: (1 + ((index * 13) % 40)) / 4,
  unitPrice: (1_000 + ((index * 7_919) % 90_000)) / 100,
}));

export const totals: Benchmark = {
  title: "totals of 1,000 items, beside dinero.js",
  run: async (settings) => {
    const expected = JSON.stringify(ours());
    if (JSON.stringify(theirs()) !== expected)
      throw new Error(`dinero.js: ${JSON.stringify(theirs())}, ours: ${expected}`);
    const repeat = (run: () => unknown) => (count: number) => {
      for (let done = 0; done < count; done += 1) run();
    };
    const [own, sums, shares] = await measureInTurn(
      [
        functionSide("Budgetkit, with each item's discount and tax", repeat(ours)),
        functionSide("dinero.js, sums alone", repeat(theirs)),
        functionSide("dinero.js, with each item's discount and tax", repeat(theirsWithShares)),
      ],
      settings,
    );
    return {
      measured: [own, sums, shares],
      figures: [
        rateRatio("totals", own, shares),
        rateRatio({ recorded: "totals of 1,000 items / dinero.js, sums alone" }, own, sums),
      ],
    };
  },
};

interface Figures {
  readonly subtotal: number;
  readonly tax: number;
  readonly total: number;
}

function ours(): Figures {
  const taxation = { kind: "rate", rate: RATE.amount / 10 ** RATE.scale } as const;
  const computed = computeTotals({ currency: "USD", rounding: "half-up", lines, discount: DISCOUNT, taxation });
  const { subtotal, tax, total } = computed._unsafeUnwrap();
  return { subtotal, tax, total };
}

function theirs(): Figures {
  const { subtotal, tax, total } = sumsOf(lineTotals());
  return { subtotal: amountOf(subtotal), tax: amountOf(tax), total: amountOf(total) };
}

function theirsWithShares(): unknown {
  const each = lineTotals();
  const { tax } = sumsOf(each);
  const ratios = each.map(amountOf);
  return [allocate(dinero({ amount: DISCOUNT, currency: USD }), ratios), allocate(tax, ratios)];
}

type Money = Dinero<number>;

function lineTotals(): Money[] {
  return lines.map(({ quantity, unitPrice }) => {
    const price = dinero({ amount: Math.round(unitPrice * 100), currency: USD });
    return toCents(multiply(price, { amount: Math.round(quantity * 100), scale: 2 }));
  });
}

function sumsOf(each: readonly Money[]): { subtotal: Money; tax: Money; total: Money } {
  const subtotal = each.reduce(add);
  const taxable = subtract(subtotal, dinero({ amount: DISCOUNT, currency: USD }));
  const tax = toCents(multiply(taxable, RATE));
  return { subtotal, tax, total: add(taxable, tax) };
}

function toCents(money: Money): Money {
  return transformScale(money, CENTS, halfUp);
}

function amountOf(money: Money): number {
  return toSnapshot(money).amount;
}
