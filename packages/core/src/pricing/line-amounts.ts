import { err, ok, type Result } from "neverthrow";
import { exponentOf } from "../kernel/currency.js";
import { decimalOf, multiply, type Rounding, roundProduct } from "../kernel/decimal.js";
import { type Minor, maxAmountOf, maxMinorOf } from "../kernel/money.js";
import type { Problem } from "../kernel/problem.js";
import { discountedTotal } from "./line-discount.js";
import { isItem } from "./line-kind.js";
import { isCounted, keepCounted } from "./selectable.js";
import { amountTooLarge, type Line, type Steps, type TotalsInput } from "./totals-parts.js";
import type { TotalsStep } from "./totals-step.js";

type Input = Pick<TotalsInput, "lines" | "currency" | "rounding">;

/**
 * quantity × unitPrice of each line, rounded to the currency's minor unit, less the line's own discount. 0 for a line that
 * is not selected.
 * Errors: AMOUNT_TOO_LARGE, DISCOUNT_EXCEEDS_ITEM.
 */
export function lineTotalsOf(input: Input, steps: Steps = null): Result<Float64Array, Problem> {
  return offeredAmountsOf(input, steps).map((amounts) => keepCounted(input.lines, amounts));
}

/** What each line would come to if all were selected, by index. Errors: as {@link lineTotalsOf}. */
export function offeredAmountsOf(
  { lines, currency, rounding }: Input,
  steps: Steps = null,
): Result<Float64Array, Problem> {
  const exponent = exponentOf(currency);
  const maxPrice = maxAmountOf(currency);
  const maxTotal = maxMinorOf(currency);
  const amounts = new Float64Array(lines.length);
  let item = 0;
  for (const line of lines) {
    const { quantity, unitPrice, discountRate, discountAmount } = line;
    if (unitPrice > maxPrice) return err(amountTooLarge(`items[${item}].unitPrice`, currency));
    const rounded = roundProduct(quantity, unitPrice, exponent, rounding);
    if (rounded > maxTotal) return err(amountTooLarge(`items[${item}].total`, currency));
    const counted = steps === null || isCounted(line);
    if (steps !== null && isItem(line)) steps.push(counted ? lineStep(line, item, rounded, rounding) : leftOut(item));
    if (discountRate === undefined && discountAmount === undefined) {
      amounts[item] = rounded;
    } else {
      const priced = { item, gross: rounded, discountRate, discountAmount };
      const discounted = discountedTotal(priced, { currency, rounding }, counted ? steps : null);
      if (discounted.isErr()) return err(discounted.error);
      amounts[item] = discounted.value;
    }
    item += 1;
  }
  return ok(amounts);
}

function lineStep({ quantity, unitPrice }: Line, item: number, rounded: Minor, rule: Rounding): TotalsStep {
  const exact = multiply(decimalOf(quantity), decimalOf(unitPrice));
  return { kind: "line", item, quantity, unitPrice, exact, rounded, rule };
}

function leftOut(item: number): TotalsStep {
  return { kind: "not-selected", item };
}
