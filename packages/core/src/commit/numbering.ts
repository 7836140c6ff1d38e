import { foldForSearch } from "../kernel/fold-for-search.js";
import type { NumberSeries } from "../kernel/number-pattern.js";

/**
 * How a commit numbers its budget: it draws the next number of a series that no budget of the business has, and writes it
 * in place of the blank, in the budget, its events and its idempotency record; or it keeps a given number and moves the
 * series behind it. A commit that is undone leaves no gap.
 */
export type Numbering = NumberDraw | NumberKept;

export interface NumberDraw {
  readonly kind: "draw";
  readonly series: NumberSeries;
  readonly blank: string; // see makeBlank
}

/** Refused with `taken: "number"` when another budget of the business has the number. */
export interface NumberKept {
  readonly kind: "keep";
  readonly number: string;
  readonly place: NumberPlace | null; // null = of no known series
}

/** A value of a series. */
interface NumberPlace {
  readonly series: NumberSeries;
  readonly value: number;
}

/** A series as search texts contain its numbers. */
export function foldedSeries({ before, after, digits }: NumberSeries): Omit<NumberSeries, "key"> {
  return { before: foldForSearch(before), after: foldForSearch(after), digits };
}
