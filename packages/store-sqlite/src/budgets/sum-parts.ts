import { asInteger } from "@budgetkit/store-kit";

/** A sum is stored in two parts, high * 2^26 + low: their sums stay exact where a sum of totals would overflow. */
const LOW_BITS = 26;
const LOW = 2 ** LOW_BITS;

/** The parts of an amount in SQL. */
export const HIGH_PART = (amount: string) => `(${amount}) >> ${LOW_BITS}`;
export const LOW_PART = (amount: string) => `(${amount}) & ${LOW - 1}`;

/** The parts of an amount, or of the negative of one. */
export function partsOf(amount: number): readonly [high: number, low: number] {
  const size = Math.abs(amount);
  const sign = amount < 0 ? -1 : 1;
  return [sign * Math.floor(size / LOW), sign * (size % LOW)];
}

export function sumOf(high: unknown, low: unknown): bigint {
  return (BigInt(asInteger(high)) << BigInt(LOW_BITS)) + BigInt(asInteger(low));
}
