import { exponentOf } from "./currency.js";
import { decimalOf, roundTo } from "./decimal.js";

/** An amount of money in whole minor units of its currency (cents of a dollar, whole yen). */
export type Minor = number;

/** The largest number of minor units that a store holds. {@link maxAmountOf} bounds the amounts of a currency further. */
export const MAX_MINOR: Minor = Number.MAX_SAFE_INTEGER;

/** By the exponent of the currency: doubles up to this number are at most one minor unit apart. */
const MAX_AMOUNTS: readonly number[] = [MAX_MINOR, 2 ** 49, 2 ** 46, 2 ** 43, 2 ** 39];

/**
 * The largest amount of a currency, in the major unit. Up to it each minor unit is a double of its own, so that an amount
 * is exact as a JSON number, also for clients that read numbers as doubles.
 */
export function maxAmountOf(currency: string): number {
  return MAX_AMOUNTS[exponentOf(currency)] ?? 0;
}

/** {@link maxAmountOf} in minor units. */
export function maxMinorOf(currency: string): Minor {
  return maxAmountOf(currency) * 10 ** exponentOf(currency);
}

/**
 * A wire amount in minor units; null when it exceeds {@link maxAmountOf}.
 * The caller checks that the amount has no more decimals than the currency.
 */
export function toMinor(amount: number, currency: string): Minor | null {
  if (Math.abs(amount) > maxAmountOf(currency)) return null;
  return Number(roundTo(decimalOf(amount), exponentOf(currency), "half-up"));
}

/** The wire amount of an amount in minor units: 123456 in USD is 1234.56. */
export function fromMinor(minor: Minor, currency: string): number {
  return minor / 10 ** exponentOf(currency);
}
