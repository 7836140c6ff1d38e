import { Decimal } from "decimal.js";
import type { Rounding } from "../kernel/decimal.js";

/** An exact fraction that is not negative. */
export interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

export function whole(value: bigint): Fraction {
  return { top: value, bottom: 1n };
}

/** A number as the decimal that it prints as. */
export function fraction(value: number): Fraction {
  const [digits = "0", places = ""] = new Decimal(value).toFixed().split(".");
  return { top: BigInt(digits + places), bottom: 10n ** BigInt(places.length) };
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return { top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom };
}

export function times(a: Fraction, b: Fraction): Fraction {
  return { top: a.top * b.top, bottom: a.bottom * b.bottom };
}

/** The part of a gross amount that a rate has added: amount × rate ÷ (1 + rate). */
export function containedIn(amount: bigint, rate: Fraction): Fraction {
  return { top: amount * rate.top, bottom: rate.bottom + rate.top };
}

export function round({ top, bottom }: Fraction, rounding: Rounding): bigint {
  const down = top / bottom;
  const twice = (top - down * bottom) * 2n;
  const isUp = twice === bottom ? rounding === "half-up" || down % 2n === 1n : twice > bottom;
  return isUp ? down + 1n : down;
}

export function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, each) => sum + each, 0n);
}

/** Divides an amount by largest remainder, the earlier first among equals. Of weights that are all 0 nobody gets anything. */
export function sharesOf(amount: bigint, weights: readonly Fraction[]): bigint[] {
  const bottom = weights.reduce((product, each) => product * each.bottom, 1n);
  const tops = weights.map((each) => (each.top * bottom) / each.bottom);
  const sum = sumOf(tops);
  if (sum === 0n) return tops.map(() => 0n);
  const shares = tops.map((top) => (amount * top) / sum);
  const remainders = tops.map((top, index) => ({ index, remainder: (amount * top) % sum }));
  remainders.sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  const extra = new Set(remainders.slice(0, Number(amount - sumOf(shares))).map(({ index }) => index));
  return shares.map((share, index) => (extra.has(index) ? share + 1n : share));
}
