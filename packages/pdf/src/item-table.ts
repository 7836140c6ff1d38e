import type { BudgetDocument, DocumentColumns, DocumentRow } from "@budgetkit/core";
import type { Sheet, Style, Tag } from "./sheet.js";
import { LINE, type Styles } from "./styles.js";

const GAP = 16;
const MAX_SHARE = 0.22; // of the width, for a column of numbers
const PADDING = 6;
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
  readonly lines: readonly { readonly text: string; readonly style: Style }[];
}

/** The table of the items. Its heading is repeated on each page. */
export async function drawItems(sheet: Sheet, document: BudgetDocument, styles: Styles): Promise<void> {
  const columns = columnsOf(sheet, document, styles);
  const table = sheet.tag(sheet.root, "Table");
  sheet.keep(sheet.lineHeight(styles.label) + 2 * PADDING + TOGETHER * sheet.lineHeight(styles.text));
  drawHeading(sheet, table, document.columns, columns, styles);
  for (const row of document.rows) {
    await sheet.pause();
    const cells = cellsOf(sheet, row, columns, styles);
    drawRow(sheet, table, cells, sheet.lineHeight(styles.text), () =>
      drawHeading(sheet, null, document.columns, columns, styles),
    );
  }
  table.end();
  sheet.y += 10;
}

/** Numbers get the width that they need, up to a limit; the description gets the rest. */
function columnsOf(sheet: Sheet, { columns, rows }: BudgetDocument, styles: Styles): Column[] {
  const widest = (name: (typeof NUMBERS)[number]) =>
    rows.reduce(
      (width, row) =>
        Math.max(
          width,
          sheet.widthOf(sheet.printable(textIn(row, name).split("\n")[0] ?? "", styles.text), styles.text),
        ),
      sheet.widthOf(columns[name], styles.label),
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
  const title = ({ name, x, align }: Column) => sheet.line(titles[name], x, y, styles.label, align);
  if (table === null) sheet.decorated(() => columns.forEach(title));
  else {
    const row = sheet.tag(table, "TR");
    for (const column of columns) sheet.tagged(row, "TH", () => title(column), { scope: "Column" });
    row.end();
  }
  sheet.y += sheet.lineHeight(styles.label) + 5;
  sheet.rule(sheet.y, { color: styles.accent, width: 1.2 });
}

function cellsOf(sheet: Sheet, row: DocumentRow, columns: readonly Column[], styles: Styles): Cell[] {
  return columns.map((column) => {
    const [first, ...rest] = textIn(row, column.name).split("\n");
    const lead = column.name === "description" && row.kind !== "text" ? styles.strong : styles.text;
    const shown = (text: string, style: Style) =>
      sheet.linesOf(text, style, column.width).map((line) => ({ text: line, style }));
    return {
      column,
      lines: [...shown(first ?? "", lead), ...(rest.length === 0 ? [] : shown(rest.join("\n"), styles.quiet))],
    };
  });
}

/** The discount of an item stands below its price. */
function textIn(row: DocumentRow, column: keyof DocumentColumns): string {
  return column === "price" && row.discount !== null ? `${row.price}\n${row.discount}` : row[column];
}

function drawRow(sheet: Sheet, table: Tag, cells: readonly Cell[], height: number, drawHeading: () => void): void {
  const row = sheet.tag(table, "TR");
  const parts = cells.map((cell) => ({ ...cell, element: sheet.tag(row, "TD") }));
  const count = Math.max(...cells.map(({ lines }) => lines.length));
  const nextPage = (): void => {
    sheet.newPage();
    drawHeading();
  };
  const fitting = () => Math.floor((sheet.room - 2 * PADDING) / height);
  if (fitting() < (count > UNBROKEN_LINES ? TOGETHER : count)) nextPage();
  for (let from = 0; from < count; ) {
    if (fitting() < 1) nextPage();
    const to = Math.min(count, from + fitting());
    const top = sheet.y + PADDING;
    for (const { column, lines, element } of parts) {
      for (const [index, { text, style }] of lines.slice(from, to).entries()) {
        if (text === "") continue;
        element.add(() => sheet.line(text, column.x, top + index * height, style, column.align));
      }
    }
    sheet.y = top + (to - from) * height + PADDING;
    sheet.rule(sheet.y, { color: LINE, width: 0.6 });
    from = to;
  }
  for (const { element } of parts) element.end();
  row.end();
}
