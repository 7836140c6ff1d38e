import { exponentOf } from "../kernel/currency.js";
import { decimalText } from "../kernel/decimal.js";

/** An exact sum in the currency's major unit. A sum beyond the largest amount becomes the nearest double. */
export function majorOf(minor: bigint, currency: string): number {
  return Number(decimalText({ digits: minor, scale: exponentOf(currency) }));
}

/** A part from 0 to 1, to four decimals; null = there is no whole. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}
