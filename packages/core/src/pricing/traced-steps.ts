import { decimalOf, multiply, type Rounding, roundTo } from "../kernel/decimal.js";
import type { Minor } from "../kernel/money.js";
import { allocate } from "./allocate.js";
import type { Steps } from "./totals-parts.js";
import type { AllocationStep } from "./totals-step.js";

/** {@link allocate}, with its step. */
export function allocateTraced(
  what: Pick<AllocationStep, "of" | "tax">,
  amount: Minor,
  parts: Float64Array,
  { sum, first }: { readonly sum: Minor; readonly first: number },
  steps: Steps,
): void {
  const weights = steps === null || amount === 0 ? null : parts.slice();
  allocate(amount, parts, sum, first);
  if (weights !== null) steps?.push({ kind: "allocation", ...what, amount, weights, sum, shares: parts });
}

/** The tax on an amount, with its step. The rate is at most 1, so that the tax never exceeds the amount. */
export function taxOn(
  { tax, taxable, rate }: { readonly tax: string | null; readonly taxable: Minor; readonly rate: number },
  rounding: Rounding,
  steps: Steps,
): Minor {
  const exact = multiply({ digits: taxable, scale: 0 }, decimalOf(rate));
  const rounded = Number(roundTo(exact, 0, rounding));
  steps?.push({ kind: "tax", tax, taxable, rate, exact, rounded, rule: rounding });
  return rounded;
}
