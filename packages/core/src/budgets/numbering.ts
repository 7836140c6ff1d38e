import { foldForSearch } from "../kernel/fold-for-search.js";
import type { NumberSeries } from "../kernel/number-pattern.js";

/**
 * How a commit numbers a budget: it draws the next number of a series and fills in the blank of the budget, its events
 * and its idempotency record; or it keeps a given number and moves the series behind it.
 */
export type Numbering =
  | NumberDraw
  | { readonly kind: "keep"; readonly number: string; readonly place: NumberPlace | null }; // null = of no known series

export interface NumberDraw {
  readonly kind: "draw";
  readonly series: NumberSeries;
  readonly blank: string;
}

/** A value of a series. */
interface NumberPlace {
  readonly series: NumberSeries;
  readonly value: number;
}

/** The outcome of a commit that drew a number. */
export interface Numbered {
  readonly number: string;
}

/** A series as search texts contain its numbers. */
export function foldedSeries({ before, after, digits }: NumberSeries): Omit<NumberSeries, "key"> {
  return { before: foldForSearch(before), after: foldForSearch(after), digits };
}
