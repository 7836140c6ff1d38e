import { err, ok, type Result } from "neverthrow";
import { decimalOf, multiply, type Rounding, roundTo } from "../kernel/decimal.js";
import { fromMinor, type Minor } from "../kernel/money.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import type { TotalsStep } from "./totals-step.js";

/** The discount of one line; neither = none, never both. */
export interface LineDiscount {
  readonly discountRate?: number | undefined; // 0 to 1, of the line's rounded amount
  readonly discountAmount?: Minor | undefined;
}

interface Priced extends LineDiscount {
  readonly item: number; // index of the line
  readonly gross: Minor; // quantity × unitPrice, rounded
}

/**
 * A line's amount after its discount. The rate is at most 1, so that its discount never exceeds the amount.
 * Errors: DISCOUNT_EXCEEDS_ITEM.
 */
export function discountedTotal(
  { item, gross, discountRate, discountAmount }: Priced,
  { currency, rounding }: { readonly currency: string; readonly rounding: Rounding },
  steps: TotalsStep[] | null,
): Result<Minor, Problem> {
  if (discountRate === undefined) {
    const discount = discountAmount ?? 0;
    if (discount > gross) return err(exceedsItem(item, gross, currency));
    steps?.push({ kind: "item-discount", item, gross, byRate: null, discount, total: gross - discount });
    return ok(gross - discount);
  }
  const exact = multiply({ digits: gross, scale: 0 }, decimalOf(discountRate));
  const discount = Number(roundTo(exact, 0, rounding));
  const byRate = { rate: discountRate, exact, rule: rounding };
  steps?.push({ kind: "item-discount", item, gross, byRate, discount, total: gross - discount });
  return ok(gross - discount);
}

function exceedsItem(item: number, gross: Minor, currency: string): Problem {
  return brokenRule("DISCOUNT_EXCEEDS_ITEM", "The discount of the item is larger than its quantity × unitPrice.", {
    field: `items[${item}].discountAmount`,
    max: fromMinor(gross, currency),
  });
}
