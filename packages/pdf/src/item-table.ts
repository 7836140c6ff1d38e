import type { BudgetDocument, DocumentColumns, DocumentRow } from "@budgetkit/core";
import { drawMark, MARK_WIDTH, type Mark, markOf } from "./selection-mark.js";
import type { Line, Sheet, Style, Tag } from "./sheet.js";
import { INK, LINE, STRONG_LINE, type Styles } from "./styles.js";

const GAP = 16;
const MAX_SHARE = 0.22; // of the width, for a column of numbers
const PADDING = 5.5;
const ABOVE_HEADING = 8;
/** A row of more lines may break over pages; at least so many of its lines stand on each. */
const UNBROKEN_LINES = 24;
const TOGETHER = 3;

const NUMBERS = ["quantity", "price", "amount"] as const;

interface Column {
  readonly name: keyof DocumentColumns;
  readonly x: number; // of the left end, or of the right end of numbers
  readonly width: number;
  readonly align: "left" | "right";
}

interface Cell {
  readonly column: Column;
  readonly lines: readonly { readonly text: Line; readonly style: Style }[];
}

interface Row {
  readonly kind: DocumentRow["kind"];
  readonly cells: readonly Cell[];
  readonly lines: number;
  readonly above: number; // space that sets a section apart
  readonly mark: Mark | null; // of a line that the customer selects
}

/** The table of the items. Its heading is repeated on each page. `below` = height of what the last item stays with. */
export async function drawItems(sheet: Sheet, document: BudgetDocument, styles: Styles, below: number): Promise<void> {
  const { rows } = document;
  const columns = columnsOf(sheet, document, styles);
  const table = sheet.tag(sheet.root, "Table");
  const height = sheet.lineHeight(styles.text);
  let waiting: Row[] = []; // placed, and not drawn: headings stay with what follows
  sheet.keep(sheet.lineHeight(styles.label) + 2 * PADDING + TOGETHER * height);
  drawHeading(sheet, table, document.columns, columns, styles);
  const nextPage = (): void => {
    sheet.newPage();
    drawHeading(sheet, null, document.columns, columns, styles);
  };
  const fullRoom = sheet.fullRoom - 2 * sheet.lineHeight(styles.label);
  for (const [index, row] of rows.entries()) {
    await sheet.pause();
    waiting.push(placedRow(sheet, row, columns, styles));
    const isLast = index === rows.length - 1;
    if ((row.kind === "heading" || row.kind === "choice") && !isLast && waiting.length < TOGETHER) continue;
    const needed = waiting.reduce((sum, each) => sum + heightOf(each, height), isLast ? below : 0);
    if (sheet.room < needed && needed <= fullRoom) nextPage();
    for (const each of waiting) drawRow(sheet, table, each, height, nextPage);
    waiting = [];
  }
  table.end();
  sheet.y += 14;
}

/** A row that may break needs room for its first lines. */
function heightOf({ lines, above }: Row, height: number): number {
  return above + (lines > UNBROKEN_LINES ? TOGETHER : lines) * height + 2 * PADDING;
}

/** Numbers get the width that they need, up to a limit; the description gets the rest. */
function columnsOf(sheet: Sheet, { columns, rows }: BudgetDocument, styles: Styles): Column[] {
  const wide = (text: string, style: Style) => sheet.widthOf(sheet.lineOf(text.split("\n", 1)[0] ?? "", style), style);
  const widest = (name: (typeof NUMBERS)[number]) =>
    rows.reduce(
      (width, row) => Math.max(width, wide(shownIn(row, name), styles.text)),
      wide(columns[name], styles.label),
    );
  let { right } = sheet;
  const numbers = [...NUMBERS].reverse().map((name): Column => {
    const width = Math.min(Math.ceil(widest(name)), sheet.width * MAX_SHARE);
    const column = { name, x: right, width, align: "right" } as const;
    right -= width + GAP;
    return column;
  });
  return [{ name: "description", x: sheet.left, width: right - sheet.left, align: "left" }, ...numbers.reverse()];
}

/** `table` null = a repeated heading, which screen readers skip. */
function drawHeading(
  sheet: Sheet,
  table: Tag | null,
  titles: DocumentColumns,
  columns: readonly Column[],
  styles: Styles,
): void {
  const { y } = sheet;
  const title = ({ name, x, align, width }: Column) =>
    sheet.line(sheet.lineOf(titles[name], styles.label, width), x, y, styles.label, align);
  if (table === null) sheet.decorated(() => columns.forEach(title));
  else {
    const row = sheet.tag(table, "TR");
    for (const column of columns) sheet.tagged(row, "TH", () => title(column), { scope: "Column" });
    row.end();
  }
  sheet.y += sheet.lineHeight(styles.label) + 5;
  sheet.rule(sheet.y, { color: INK, width: 0.9 });
}

function placedRow(sheet: Sheet, row: DocumentRow, columns: readonly Column[], styles: Styles): Row {
  const cells = columns.map((column) => ({ column, lines: linesIn(sheet, row, column, columns, styles) }));
  const lines = Math.max(...cells.map((cell) => cell.lines.length));
  return { kind: row.kind, cells, lines, above: row.kind === "heading" ? ABOVE_HEADING : 0, mark: markOf(row, styles) };
}

/**
 * A description without numbers beside it has the whole width. An item's own discount stands below its description. What
 * is not selected is quiet, and its amount in brackets.
 */
function linesIn(
  sheet: Sheet,
  row: DocumentRow,
  { name, width }: Column,
  columns: readonly Column[],
  styles: Styles,
): Cell["lines"] {
  const shown = (text: string, style: Style, room: number) =>
    sheet.linesOf(text, style, room).map((line) => ({ text: line, style }));
  const isLeftOut = row.isSelected === false;
  const [first = "", ...rest] = row[name].split("\n");
  if (name !== "description") return shown(shownIn(row, name), isLeftOut ? styles.quietText : styles.text, width);
  const isAlone = columns.every((column) => column.name === "description" || row[column.name] === "");
  const room = (isAlone ? sheet.width : width) - (row.isSelected === null ? 0 : MARK_WIDTH);
  return [
    ...shown(first, isLeftOut ? styles.quietText : leadOf(row, styles), room),
    ...(rest.length === 0 ? [] : shown(rest.join("\n"), styles.quiet, room)),
    ...(row.discount === null ? [] : shown(row.discount, styles.quiet, room)),
    ...row.notes.flatMap((note) => shown(note, styles.quiet, room)),
  ];
}

function shownIn(row: DocumentRow, name: (typeof NUMBERS)[number]): string {
  const text = row[name];
  return name === "amount" && row.isSelected === false && text !== "" ? `(${text})` : text;
}

function leadOf({ kind }: DocumentRow, { strong, heading, quiet }: Styles): Style {
  return { item: strong, subtotal: strong, choice: strong, heading, text: quiet }[kind];
}

function drawRow(sheet: Sheet, table: Tag, placed: Row, height: number, nextPage: () => void): void {
  const { kind, cells, lines: count, above, mark } = placed;
  const row = sheet.tag(table, "TR");
  const parts = cells.map((cell) => ({ ...cell, element: sheet.tag(row, "TD") }));
  const fitting = () => Math.floor((sheet.room - 2 * PADDING) / height);
  sheet.y += above;
  if (fitting() < (count > UNBROKEN_LINES ? TOGETHER : count)) nextPage();
  for (let from = 0; from < count; ) {
    if (fitting() < 1) nextPage();
    const to = Math.min(count, from + fitting());
    const top = sheet.y + PADDING;
    if (mark !== null && from === 0) drawMark(sheet, mark, top);
    for (const { column, lines, element } of parts) {
      for (const [index, { text, style }] of lines.slice(from, to).entries()) {
        if (text.text === "") continue;
        const x = column.x + (mark !== null && column.name === "description" ? MARK_WIDTH : 0);
        element.add(() => sheet.line(text, x, top + index * height, style, column.align));
      }
    }
    sheet.y = top + (to - from) * height + PADDING;
    sheet.rule(sheet.y, { color: kind === "heading" ? STRONG_LINE : LINE, width: 0.7 });
    from = to;
  }
  for (const { element } of parts) element.end();
  row.end();
}
