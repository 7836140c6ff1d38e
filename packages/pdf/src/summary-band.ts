import type { BudgetDocument } from "@budgetkit/core";
import type { Sheet, Style } from "./sheet.js";
import { LINE, type Styles } from "./styles.js";

const PADDING = 12;
const RADIUS = 6;

interface Cell {
  readonly term: string;
  readonly text: string;
  readonly style: Style;
}

/** What the offer comes to, what confirms it, and until when it holds, between the title and the items. */
export function drawSummary(sheet: Sheet, { totals, deposit, validUntil }: BudgetDocument, styles: Styles): void {
  const cells: Cell[] = [
    ...totals
      .filter(({ kind }) => kind === "total")
      .map(({ term, amount }) => ({ term, text: amount, style: styles.figure })),
    ...(deposit === null ? [] : [{ ...deposit, style: styles.fact }]),
    ...(validUntil === null ? [] : [{ ...validUntil, style: styles.fact }]),
  ];
  if (cells.length === 0) return;
  const widths = widthsOf(sheet, cells);
  const placed = cells.map((cell, index) => {
    const room = (widths[index] ?? 0) - 2 * PADDING;
    return {
      ...cell,
      term: sheet.lineOf(cell.term, styles.label, room),
      lines: sheet.linesOf(cell.text, cell.style, room),
    };
  });
  const label = sheet.lineHeight(styles.label) + 1;
  const height = 2 * PADDING + label + Math.max(...placed.map(({ lines, style }) => heightOf(sheet, lines, style)));
  sheet.keep(height);
  const top = sheet.y;
  sheet.frame({ x: sheet.left, y: top, width: sheet.width, height }, RADIUS, LINE);
  let x = sheet.left;
  for (const [index, { term, lines, style }] of placed.entries()) {
    if (index > 0) sheet.box({ x: x - 0.4, y: top, width: 0.8, height }, LINE);
    const element = sheet.tag(sheet.root, "P");
    const left = x + PADDING;
    element.add(() => sheet.line(term, left, top + PADDING, styles.label));
    for (const [at, line] of lines.entries()) {
      const y = top + PADDING + label + at * sheet.lineHeight(style);
      element.add(() => sheet.line(line, left, y, style));
    }
    element.end();
    x += widths[index] ?? 0;
  }
  sheet.y = top + height + 16;
}

/** Equal, unless the first amount needs more to stand on one line. */
function widthsOf(sheet: Sheet, cells: readonly Cell[]): readonly number[] {
  const equal = sheet.width / cells.length;
  const [first] = cells;
  if (first === undefined || cells.length === 1) return [equal];
  const needed = sheet.widthOf(sheet.lineOf(first.text, first.style), first.style) + 2 * PADDING + 1;
  const wide = Math.max(equal, Math.min(needed, sheet.width / 2));
  return cells.map((_, index) => (index === 0 ? wide : (sheet.width - wide) / (cells.length - 1)));
}

function heightOf(sheet: Sheet, lines: readonly unknown[], style: Style): number {
  return lines.length * sheet.lineHeight(style);
}
