import { type NumberDraw, type NumberKept, numberIn } from "@budgetkit/core/store";
import type { Tables } from "./tables.js";

/** Whether another budget of the business has the number that is to be kept. */
export function isNumberTaken({ numbers }: Tables, businessId: string, { number }: NumberKept): boolean {
  return numbers.find(businessId, number) !== null;
}

/** Keeps a given number, and moves its series behind it. */
export function keepNumber(
  { numbers, numberSeries }: Tables,
  { businessId, id }: { readonly businessId: string; readonly id: string },
  { number, place }: NumberKept,
): void {
  numbers.add(businessId, number, id);
  if (place === null) return;
  const next = numberSeries.find(businessId, place.series.key) ?? 1;
  numberSeries.save(businessId, place.series.key, Math.max(next, place.value + 1));
}

/** The next number of a series that no budget of the business has. */
export function nextNumber({ numbers, numberSeries }: Tables, businessId: string, { series }: NumberDraw): NumberKept {
  let value = numberSeries.find(businessId, series.key) ?? 1;
  while (numbers.find(businessId, numberIn(series, value)) !== null) value += 1;
  return { kind: "keep", number: numberIn(series, value), place: { series, value } };
}
