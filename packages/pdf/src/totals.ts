import type { BudgetDocument, DocumentSum } from "@budgetkit/core";
import { type ProofBox, proofBox } from "./proof-box.js";
import type { Line, Sheet, Style, Tag } from "./sheet.js";
import type { Styles } from "./styles.js";

const BLOCK_SHARE = 0.445; // of the width
const PROOF_SHARE = 0.51;
const GAP = 14;
const SPACE = 3; // between sums
const ABOVE_TOTAL = 10;

interface PlacedSum {
  readonly kind: DocumentSum["kind"];
  readonly style: Style;
  readonly terms: readonly Line[];
  readonly amounts: readonly Line[];
  readonly height: number;
}

/** The sums at the right, with the proof beside them. */
export interface Totals {
  readonly height: number;
  draw(): void;
}

export function placedTotals(sheet: Sheet, document: BudgetDocument, styles: Styles): Totals {
  const width = sheet.width * BLOCK_SHARE;
  const placed = document.totals.map((sum) => placedSum(sheet, sum, width, styles));
  const proof = proofBox(sheet, document, sheet.width * PROOF_SHARE, styles);
  const sums = placed.reduce((height, sum) => height + sum.height, 0);
  const height = Math.max(sums, proof?.height ?? 0);
  return { height, draw: () => drawTotals(sheet, placed, proof, sheet.right - width, height, styles) };
}

function placedSum(sheet: Sheet, { kind, term, amount }: DocumentSum, width: number, styles: Styles): PlacedSum {
  const style = kind === "total" ? styles.total : styles.text;
  const amounts = sheet.linesOf(amount, style, width * 0.65);
  const widest = Math.max(...amounts.map((line) => sheet.widthOf(line, style)));
  const terms = sheet.linesOf(term, style, width - widest - GAP);
  const lines = Math.max(terms.length, amounts.length);
  const rule = kind === "total" ? ABOVE_TOTAL : 0;
  return { kind, style, terms, amounts, height: lines * sheet.lineHeight(style) + SPACE + rule };
}

function drawTotals(
  sheet: Sheet,
  sums: readonly PlacedSum[],
  proof: ProofBox | null,
  x: number,
  height: number,
  styles: Styles,
): void {
  sheet.keep(height);
  const top = sheet.y;
  proof?.draw(top);
  const table = sheet.tag(sheet.root, "Table");
  for (const sum of sums) drawSum(sheet, table, sum, x, styles);
  table.end();
  sheet.y = Math.max(sheet.y, top + height) + 16;
}

function drawSum(sheet: Sheet, table: Tag, sum: PlacedSum, x: number, { accent }: Styles): void {
  const end = sheet.y + sum.height;
  if (sum.kind === "total") {
    sheet.rule(sheet.y + 4, { color: accent, width: 1.4, from: x });
    sheet.y += ABOVE_TOTAL;
  }
  const height = sheet.lineHeight(sum.style);
  const row = sheet.tag(table, "TR");
  const cell = (type: "TH" | "TD", lines: readonly Line[], at: number, align: "left" | "right") =>
    sheet.tagged(row, type, () => {
      for (const [index, line] of lines.entries()) sheet.line(line, at, sheet.y + index * height, sum.style, align);
    });
  cell("TH", sum.terms, x, "left");
  cell("TD", sum.amounts, sheet.right, "right");
  row.end();
  sheet.y = end;
}
