import type { LineFigures } from "./figures.js";
import type { Line } from "./line.js";

/** What a line costs as its price reads: with the taxes that the price contains. Not selected = what it would cost. */
export function shownAmount(figures: LineFigures | undefined): number | null {
  if (figures === undefined) return null;
  return figures.offered ?? figures.gross ?? figures.total ?? null;
}

/** What a line counts for. */
function countedAmount(figures: LineFigures | undefined): number {
  return figures?.gross ?? figures?.total ?? 0;
}

/** The sum of the lines below each heading, up to the next one. */
export function sectionSums(
  lines: readonly Line[],
  figures: ReadonlyMap<string, LineFigures>,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  let heading: string | null = null;
  for (const { key, kind } of lines) {
    if (kind === "heading") {
      heading = key;
      sums.set(key, 0);
    } else if (heading !== null && kind === "item") {
      sums.set(heading, (sums.get(heading) ?? 0) + countedAmount(figures.get(key)));
    }
  }
  return sums;
}
