import { exponentOf } from "./currency.js";
import { decimalOf, roundTo } from "./decimal.js";

/** An amount of money as a whole count of the currency's minor unit (cents of a dollar, whole yen). */
export type Minor = number;

/** The largest amount that is kept: the largest integer that every part of the system holds exactly. */
export const MAX_MINOR: Minor = Number.MAX_SAFE_INTEGER;

/**
 * A wire amount in minor units, or null when it exceeds {@link MAX_MINOR}.
 * The caller has checked that the amount has no more decimals than the currency.
 */
export function toMinor(amount: number, currency: string): Minor | null {
  const minor = roundTo(decimalOf(amount), exponentOf(currency), "half-up");
  return typeof minor === "number" && Math.abs(minor) <= MAX_MINOR ? minor : null;
}

/** An amount in minor units as the number that the wire carries: 123456 USD is 1234.56. */
export function fromMinor(minor: Minor, currency: string): number {
  return minor / 10 ** exponentOf(currency);
}
