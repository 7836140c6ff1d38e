import { err, ok, type Result } from "neverthrow";
import { exponentOf } from "../kernel/currency.js";
import { decimalOf, multiply, roundProduct } from "../kernel/decimal.js";
import { type Minor, maxAmountOf, maxMinorOf } from "../kernel/money.js";
import type { Problem } from "../kernel/problem.js";
import { isCounted } from "./selectable.js";
import { amountTooLarge, type Line, type Steps, type TotalsInput } from "./totals-parts.js";

interface CostedLine extends Line {
  readonly unitCost?: number | undefined; // what a unit costs the business; absent = not known
}

/**
 * What the selected lines cost the business: quantity × unitCost of each, rounded to the minor unit. Null = no line has a
 * unitCost. Errors: AMOUNT_TOO_LARGE.
 */
export function costOf(
  { lines, currency, rounding }: Pick<TotalsInput, "currency" | "rounding"> & { readonly lines: readonly CostedLine[] },
  steps: Steps = null,
): Result<Minor | null, Problem> {
  const exponent = exponentOf(currency);
  const max = maxMinorOf(currency);
  let cost: Minor | null = null;
  for (const [item, line] of lines.entries()) {
    const { quantity, unitCost } = line;
    if (unitCost === undefined) continue;
    const rounded = roundProduct(quantity, unitCost, exponent, rounding);
    if (unitCost > maxAmountOf(currency) || rounded > max)
      return err(amountTooLarge(`items[${item}].unitCost`, currency));
    cost ??= 0;
    if (!isCounted(line)) continue;
    cost += rounded;
    if (cost > max) return err(amountTooLarge("cost", currency));
    const exact = multiply(decimalOf(quantity), decimalOf(unitCost));
    steps?.push({ kind: "cost", item, quantity, unitCost, exact, rounded, rule: rounding });
  }
  return ok(cost);
}
