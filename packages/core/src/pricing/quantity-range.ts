import { err, ok, type Result } from "neverthrow";
import { add, type Decimal, decimalOf } from "../kernel/decimal.js";
import { brokenRule, type Problem } from "../kernel/problem.js";

/** The quantities that the customer may set: `minimum`, and steps from there up to `maximum`. Read as exact decimals. */
export interface QuantityRange {
  readonly minimum: number;
  readonly maximum: number;
  readonly step: number;
}

export const OUT_OF_RANGE = "The quantity must be within the quantityRange, on one of its steps.";

/** Errors: INVALID_QUANTITY_RANGE where the maximum is below the minimum, or between two steps. */
export function checkRange(range: QuantityRange, field: string): Result<void, Problem> {
  if (range.maximum >= range.minimum && isOnStep(range, range.maximum)) return ok(undefined);
  const message = "The maximum must be the minimum and a whole number of steps, or the minimum itself.";
  return err(brokenRule("INVALID_QUANTITY_RANGE", message, { field: `${field}.quantityRange`, ...range }));
}

/** Whether the customer may set this quantity. */
export function isInRange(range: QuantityRange, quantity: number): boolean {
  return quantity >= range.minimum && quantity <= range.maximum && isOnStep(range, quantity);
}

/** Errors: QUANTITY_OUT_OF_RANGE. */
export function checkQuantity(range: QuantityRange, quantity: number, field: string): Result<void, Problem> {
  if (isInRange(range, quantity)) return ok(undefined);
  return err(brokenRule("QUANTITY_OUT_OF_RANGE", OUT_OF_RANGE, { field: `${field}.quantity`, ...range }));
}

function isOnStep({ minimum, step }: QuantityRange, quantity: number): boolean {
  if (!(step > 0)) return false;
  const above = add(decimalOf(quantity), decimalOf(-minimum));
  const scale = Math.max(above.scale, decimalOf(step).scale);
  return digitsAt(above, scale) % digitsAt(decimalOf(step), scale) === 0n;
}

function digitsAt({ digits, scale }: Decimal, places: number): bigint {
  return BigInt(digits) * 10n ** BigInt(places - scale);
}
