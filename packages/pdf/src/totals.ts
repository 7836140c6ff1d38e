import type { DocumentSum } from "@budgetkit/core";
import type { Sheet, Style, Tag } from "./sheet.js";
import type { Styles } from "./styles.js";

const BLOCK_SHARE = 0.5; // of the width
const GAP = 14;
const SPACE = 5; // between sums

interface PlacedSum {
  readonly kind: DocumentSum["kind"];
  readonly style: Style;
  readonly terms: readonly string[]; // lines
  readonly amounts: readonly string[]; // lines
  readonly height: number;
}

/** The sums at the right, on one page. */
export function drawTotals(sheet: Sheet, sums: readonly DocumentSum[], styles: Styles): void {
  const width = sheet.width * BLOCK_SHARE;
  const placed = sums.map((sum) => placedSum(sheet, sum, width, styles));
  sheet.keep(placed.reduce((height, sum) => height + sum.height, 0));
  const table = sheet.tag(sheet.root, "Table");
  for (const sum of placed) drawSum(sheet, table, sum, sheet.right - width, styles);
  table.end();
  sheet.y += 14;
}

function placedSum(sheet: Sheet, { kind, term, amount }: DocumentSum, width: number, styles: Styles): PlacedSum {
  const style = kind === "total" ? styles.total : styles.text;
  const amounts = sheet.linesOf(amount, style, width * 0.65);
  const widest = Math.max(...amounts.map((line) => sheet.widthOf(line, style)));
  const terms = sheet.linesOf(term, style, width - widest - GAP);
  const lines = Math.max(terms.length, amounts.length);
  const rule = kind === "total" ? 10 : 0;
  return { kind, style, terms, amounts, height: lines * sheet.lineHeight(style) + SPACE + rule };
}

function drawSum(sheet: Sheet, table: Tag, sum: PlacedSum, x: number, { accent }: Styles): void {
  const end = sheet.y + sum.height;
  if (sum.kind === "total") {
    sheet.rule(sheet.y + 4, { color: accent, width: 1.6, from: x });
    sheet.y += 10;
  }
  const height = sheet.lineHeight(sum.style);
  const row = sheet.tag(table, "TR");
  const cell = (type: "TH" | "TD", lines: readonly string[], at: number, align: "left" | "right") =>
    sheet.tagged(row, type, () => {
      for (const [index, line] of lines.entries()) sheet.line(line, at, sheet.y + index * height, sum.style, align);
    });
  cell("TH", sum.terms, x, "left");
  cell("TD", sum.amounts, sheet.right, "right");
  row.end();
  sheet.y = end;
}
