import { at, numberAt } from "../kernel/arrays.js";
import { add, containedPart, type Decimal, decimalOf, multiply, type Rounding } from "../kernel/decimal.js";
import type { Minor } from "../kernel/money.js";
import { allocate } from "./allocate.js";
import type { TaxRule } from "./tax-rule.js";
import type { Steps } from "./totals-parts.js";

/** Lines whose prices contain the same taxes. */
interface ContainingLines {
  readonly indexes: readonly number[];
  readonly taxes: readonly TaxRule[]; // in the order of their computation
}

/** Figures of all lines, by index. */
interface LineFigures {
  readonly left: Float64Array; // what the discount leaves of the price
  readonly discounts: Float64Array; // as given; becomes that without the taxes
  readonly net: Float64Array; // becomes `left` without the taxes
}

const NONE: Decimal = { digits: 0, scale: 0 };
const ONE: Decimal = { digits: 1, scale: 0 };

/**
 * Takes the taxes out of the prices of some lines: one amount for all of them, rounded once, divided among the taxes and
 * among the lines. What a line is left with and its taxes are exactly its price. Returns the shares of the lines in each
 * tax, with the indexes of `taxes`.
 */
export function takeOut(
  { indexes, taxes }: ContainingLines,
  { left, discounts, net }: LineFigures,
  rounding: Rounding,
  steps: Steps,
): readonly Float64Array[] {
  const rates = effectiveRates(taxes);
  const rate = rates.reduce(add, NONE);
  const lefts = amountsAt(left, indexes);
  const given = amountsAt(discounts, indexes);
  const gross = sumOf(lefts);
  const discount = sumOf(given);
  const amount = containedPart(gross, rate, rounding);
  const netDiscount = discount - (containedPart(gross + discount, rate, rounding) - amount);
  allocate(netDiscount, given, discount);
  allocate(amount, lefts, gross);
  let place = 0;
  for (const index of indexes) {
    net[index] = numberAt(left, index) - numberAt(lefts, place);
    discounts[index] = numberAt(given, place);
    place += 1;
  }
  const shares = divide(amount, rates);
  const ids = taxes.map(({ id }) => id);
  const figures = { gross, rate, amount, net: gross - amount, shares, discount, netDiscount };
  steps?.push({ kind: "contained-tax", items: indexes, taxes: ids, ...figures, rule: rounding });
  return divideLines(lefts, shares, amount);
}

/** What each tax adds to the net amount, as a rate of that alone: a tax on another one of the lines counts it in. */
function effectiveRates(taxes: readonly TaxRule[]): readonly Decimal[] {
  const rates = new Map<string, Decimal>();
  for (const { id, rate, on } of taxes) {
    const base = [...new Set(on)].reduce((sum, each) => add(sum, rates.get(each) ?? NONE), ONE);
    rates.set(id, multiply(decimalOf(rate), base));
  }
  return [...rates.values()];
}

/** The amount divided by largest remainder, the earlier first among equals. The weights may be too large for `allocate`. */
function divide(amount: Minor, rates: readonly Decimal[]): readonly Minor[] {
  const scale = Math.max(...rates.map((rate) => rate.scale));
  const weights = rates.map((rate) => BigInt(rate.digits) * 10n ** BigInt(scale - rate.scale));
  const sum = weights.reduce((total, each) => total + each, 0n);
  if (sum === 0n) return rates.map(() => 0);
  const whole = weights.map((weight) => (BigInt(amount) * weight) / sum);
  const remainders = weights.map((weight, index) => ({ index, rest: (BigInt(amount) * weight) % sum }));
  const missing = amount - Number(whole.reduce((total, each) => total + each, 0n));
  remainders.sort((a, b) => (a.rest === b.rest ? 0 : a.rest < b.rest ? 1 : -1)); // stable
  const raised = new Set(remainders.slice(0, missing).map(({ index }) => index));
  return whole.map((share, index) => Number(share) + Number(raised.has(index)));
}

/** Divides what each line contains among the taxes. Each tax takes its share of what the ones before have left. */
function divideLines(contained: Float64Array, shares: readonly Minor[], amount: Minor): readonly Float64Array[] {
  const rest = contained.slice();
  let left = amount;
  return shares.map((share) => {
    const parts = rest.slice();
    allocate(share, parts, left);
    for (let place = 0; place < rest.length; place += 1) rest[place] = numberAt(rest, place) - numberAt(parts, place);
    left -= share;
    return parts;
  });
}

function amountsAt(amounts: Float64Array, indexes: readonly number[]): Float64Array {
  const picked = new Float64Array(indexes.length);
  for (let place = 0; place < picked.length; place += 1) picked[place] = numberAt(amounts, at(indexes, place));
  return picked;
}

function sumOf(amounts: Float64Array): Minor {
  let sum = 0;
  for (let index = 0; index < amounts.length; index += 1) sum += numberAt(amounts, index);
  return sum;
}
