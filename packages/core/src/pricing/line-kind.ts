import { numberAt } from "../kernel/arrays.js";
import type { Minor } from "../kernel/money.js";

/**
 * The kinds of a budget's lines. Only an item has a price; the others structure the list, and a choice groups the items of
 * which the customer selects some.
 */
export const LINE_KINDS = ["item", "heading", "text", "subtotal", "choice"] as const;
export type LineKind = (typeof LINE_KINDS)[number];

/** A line, as far as its kind counts. */
export interface Kinded {
  readonly kind?: LineKind | undefined; // absent = an item
}

export function isItem({ kind }: Kinded): boolean {
  return kind === undefined || kind === "item";
}

/** The index of the first item; 0 if there is none. */
export function firstItemOf(lines: readonly Kinded[]): number {
  return Math.max(0, lines.findIndex(isItem));
}

/** The items that a subtotal line sums: those since the previous heading or subtotal, or since the start. */
export interface Section {
  readonly items: number; // how many
  readonly total: Minor; // after the items' own discounts, before the budget's discount and tax
}

/** The section of each subtotal line, by the index of that line. `totals` are the line totals. */
export function sectionsOf(lines: readonly Kinded[], totals: Float64Array): ReadonlyMap<number, Section> {
  const sections = new Map<number, Section>();
  let items = 0;
  let total = 0;
  for (const [index, line] of lines.entries()) {
    if (isItem(line)) {
      items += 1;
      total += numberAt(totals, index);
      continue;
    }
    if (line.kind === "text" || line.kind === "choice") continue;
    if (line.kind === "subtotal") sections.set(index, { items, total });
    items = 0;
    total = 0;
  }
  return sections;
}
