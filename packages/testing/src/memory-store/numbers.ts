import {
  type Budget,
  filledCopy,
  type NumberDraw,
  type Numbered,
  type Numbering,
  numberIn,
} from "@budgetkit/core/store";
import type { Tables } from "./tables.js";

/** Whether another budget of the business has the number that is to be kept. */
export function isNumberTaken({ numbers }: Tables, businessId: string, numbering: Numbering | undefined): boolean {
  return numbering?.kind === "keep" && numbers.find(businessId, numbering.number) !== null;
}

/** Keeps a given number, and moves its series behind it. */
export function keepNumber(
  { numbers, numberSeries }: Tables,
  { businessId, id }: { readonly businessId: string; readonly id: string },
  { number, place }: Extract<Numbering, { kind: "keep" }>,
): void {
  numbers.add(businessId, number, id);
  if (place === null) return;
  const next = numberSeries.find(businessId, place.series.key) ?? 1;
  numberSeries.save(businessId, place.series.key, Math.max(next, place.value + 1));
}

/** Draws a number for the budget, and writes the content of the commit with it. */
export function writeWithNumber<Content extends { readonly budget: Budget }>(
  { numbers, numberSeries }: Tables,
  { series, blank }: NumberDraw,
  content: Content,
  write: (content: Content) => void,
): Numbered {
  const { businessId, id } = content.budget;
  let value = numberSeries.find(businessId, series.key) ?? 1;
  while (numbers.find(businessId, numberIn(series, value)) !== null) value += 1;
  const number = numberIn(series, value);
  write(filledCopy(content, blank, number));
  numbers.add(businessId, number, id);
  numberSeries.save(businessId, series.key, value + 1);
  return { number };
}
