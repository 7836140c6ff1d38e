import { decimalOf, multiply, type Rounding, roundTo } from "../kernel/decimal.js";
import type { Minor } from "../kernel/money.js";
import type { Steps } from "./totals-parts.js";

/** What must be paid before an acceptance counts: a part of the total, or an amount. */
export type Deposit = { readonly rate: number } | { readonly amount: Minor };

/** The deposit of a total, at most what is payable of it. */
export function depositOf(
  deposit: Deposit,
  { total, payable }: { readonly total: Minor; readonly payable: Minor },
  rounding: Rounding,
  steps: Steps = null,
): Minor {
  if ("amount" in deposit) {
    const amount = Math.min(deposit.amount, payable);
    steps?.push({ kind: "deposit", total, byRate: null, deposit: amount });
    return amount;
  }
  const exact = multiply({ digits: total, scale: 0 }, decimalOf(deposit.rate));
  const amount = Math.min(Number(roundTo(exact, 0, rounding)), payable);
  steps?.push({ kind: "deposit", total, byRate: { rate: deposit.rate, exact, rule: rounding }, deposit: amount });
  return amount;
}
