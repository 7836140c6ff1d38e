import { invalid, type Problem } from "../kernel/problem.js";
import { areTooMany, MAX_TIERS, type PriceTier } from "./price-tiers.js";
import type { PricingLine } from "./pricing-shapes.js";
import type { QuantityRange } from "./quantity-range.js";
import { INTERVALS, type Recurrence } from "./recurring.js";

/** The first number of an item that is out of its bounds; null = none. `field` is the path of the line. */
export function findWrongNumber(line: PricingLine, field: string): Problem | null {
  const { quantity, unitPrice, unitCost, discountRate, discountAmount, quantityRange, priceTiers, recurring } = line;
  if (quantity === undefined) return invalid(`${field}.quantity`, "REQUIRED", "is required");
  if (!isPositive(quantity)) return notPositive(`${field}.quantity`);
  if (!isAmount(unitPrice)) return negative(`${field}.unitPrice`);
  if (!isAmount(unitCost)) return negative(`${field}.unitCost`);
  if (!isAmount(discountAmount)) return negative(`${field}.discountAmount`);
  if (!isAmount(discountRate)) return negative(`${field}.discountRate`);
  if (discountRate !== undefined && discountRate > 1) {
    return invalid(`${field}.discountRate`, "MAX_VALUE", "must be at most 1");
  }
  return (
    (quantityRange === undefined ? null : wrongInRange(quantityRange, `${field}.quantityRange`)) ??
    (priceTiers === undefined ? null : wrongInTiers(priceTiers, `${field}.priceTiers`)) ??
    (recurring === undefined ? null : wrongInRecurrence(recurring, `${field}.recurring`))
  );
}

/** The first of a choice's fields that is absent or out of its bounds; null = none. */
export function findWrongOfChoice({ key, minimum = 1, maximum = 1 }: PricingLine, field: string): Problem | null {
  if (key === undefined) return invalid(`${field}.key`, "REQUIRED", "is required");
  if (!isCount(minimum, 0)) return notWhole(`${field}.minimum`, 0);
  return isCount(maximum, 1) ? null : notWhole(`${field}.maximum`, 1);
}

function wrongInRange(range: QuantityRange, field: string): Problem | null {
  for (const name of ["minimum", "maximum", "step"] as const) {
    if (!isPositive(range[name])) return notPositive(`${field}.${name}`);
  }
  return null;
}

function wrongInTiers(tiers: readonly PriceTier[], field: string): Problem | null {
  if (tiers.length === 0) return invalid(field, "MIN_LENGTH", "must have at least 1 tier");
  if (areTooMany(tiers)) return invalid(field, "MAX_LENGTH", `must have at most ${MAX_TIERS} tiers`);
  for (const [index, { from, unitPrice }] of tiers.entries()) {
    if (!isAmount(from)) return negative(`${field}[${index}].from`);
    if (!isAmount(unitPrice)) return negative(`${field}[${index}].unitPrice`);
  }
  return null;
}

function wrongInRecurrence({ interval, intervalCount, cycles }: Recurrence, field: string): Problem | null {
  if (!INTERVALS.includes(interval)) {
    return invalid(`${field}.interval`, "INVALID_VALUE", `must be one of ${INTERVALS.join(", ")}`);
  }
  if (!isCount(intervalCount, 1)) return notWhole(`${field}.intervalCount`, 1);
  return cycles === null || isCount(cycles, 1) ? null : notWhole(`${field}.cycles`, 1);
}

function isPositive(value: number): boolean {
  return value > 0 && value < Number.POSITIVE_INFINITY;
}

function isAmount(value: number | undefined): boolean {
  return value === undefined || (value >= 0 && value < Number.POSITIVE_INFINITY);
}

function isCount(value: number, least: number): boolean {
  return Number.isSafeInteger(value) && value >= least;
}

function notPositive(field: string): Problem {
  return invalid(field, "MIN_VALUE", "must be greater than 0");
}

function negative(field: string): Problem {
  return invalid(field, "MIN_VALUE", "must be a number that is not negative");
}

function notWhole(field: string, least: number): Problem {
  return invalid(field, "MIN_VALUE", `must be a whole number from ${least}`);
}
