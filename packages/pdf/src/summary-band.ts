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
  const width = sheet.width / cells.length;
  const placed = cells.map((cell) => ({
    ...cell,
    term: sheet.lineOf(cell.term, styles.label, width - 2 * PADDING),
    lines: sheet.linesOf(cell.text, cell.style, width - 2 * PADDING),
  }));
  const label = sheet.lineHeight(styles.label) + 1;
  const height = 2 * PADDING + label + Math.max(...placed.map(({ lines, style }) => heightOf(sheet, lines, style)));
  sheet.keep(height);
  const top = sheet.y;
  sheet.frame({ x: sheet.left, y: top, width: sheet.width, height }, RADIUS, LINE);
  for (const [index, { term, lines, style }] of placed.entries()) {
    const x = sheet.left + index * width;
    if (index > 0) sheet.box({ x: x - 0.4, y: top, width: 0.8, height }, LINE);
    const element = sheet.tag(sheet.root, "P");
    element.add(() => sheet.line(term, x + PADDING, top + PADDING, styles.label));
    for (const [at, line] of lines.entries()) {
      const y = top + PADDING + label + at * sheet.lineHeight(style);
      element.add(() => sheet.line(line, x + PADDING, y, style));
    }
    element.end();
  }
  sheet.y = top + height + 16;
}

function heightOf(sheet: Sheet, lines: readonly unknown[], style: Style): number {
  return lines.length * sheet.lineHeight(style);
}
