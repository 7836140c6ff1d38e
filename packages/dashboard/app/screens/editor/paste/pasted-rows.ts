import { type DecimalMark, readDecimal } from "../document/decimals.js";
import { type Line, newLine } from "../document/line.js";

/** What a column of a spreadsheet is taken to be. */
export type PastedColumn = "description" | "quantity" | "unit" | "unitPrice" | "discount" | "ignored";

export const PASTED_COLUMNS: readonly PastedColumn[] = [
  "description",
  "quantity",
  "unit",
  "unitPrice",
  "discount",
  "ignored",
];

export interface PastedRows {
  readonly columns: readonly PastedColumn[];
  /** Without the row of names. */
  readonly rows: readonly (readonly string[])[];
  /** Whether there is nothing to ask: the columns have names that are known, or there is one alone. */
  readonly isObvious: boolean;
  readonly mark: DecimalMark;
}

/** Names of columns in spreadsheets, in small letters and without accents. */
const NAMES: Readonly<Record<string, PastedColumn>> = {
  ...named(
    "description",
    "description item name product concept descripcion concepto detalle producto nome descricao produto articulo",
  ),
  ...named("quantity", "quantity qty amount cantidad cant quantidade qtd cant. qtd. units unidades"),
  ...named("unit", "unit unidad unidade um"),
  ...named(
    "unitPrice",
    "price unitprice rate cost precio preciounitario punitario importeunitario preco precounitario unitario",
  ),
  ...named("discount", "discount less descuento dto desconto bonificacion"),
  ...named("ignored", "total subtotal sum importe valor line #"),
};

const LONGEST_UNIT = 20;

/** Reads what the columns of pasted cells are. `mark` is that of the person's language; the other one is tried too. */
export function understandRows(cells: readonly (readonly string[])[], mark: DecimalMark): PastedRows {
  const filled = cells.filter((row) => row.some((cell) => cell.trim() !== ""));
  const width = Math.max(0, ...filled.map((row) => row.length));
  const [first = []] = filled;
  const header = first.map((cell) => NAMES[plain(cell)]);
  const isHeader = header.includes("description") && !first.some((cell) => isNumber(cell, mark));
  const rows = isHeader ? filled.slice(1) : filled;
  const shown = markOf(rows, mark);
  if (isHeader) {
    const columns = Array.from({ length: width }, (_, index): PastedColumn => header[index] ?? "ignored");
    const used = columns.filter((column) => column !== "ignored");
    return {
      columns,
      rows,
      mark: shown,
      isObvious: columns.includes("unitPrice") && new Set(used).size === used.length,
    };
  }
  return { columns: guessed(rows, width, shown), rows, mark: shown, isObvious: width === 1 };
}

/** The lines of pasted rows. A row with a description alone, among rows with prices, begins a section. */
export function linesOf({ columns, rows, mark }: PastedRows, newKey: () => string): Line[] {
  const hasPrices = columns.includes("unitPrice");
  return rows.flatMap((row) => {
    const cellOf = (column: PastedColumn) => row[columns.indexOf(column)]?.trim() ?? "";
    const description = cellOf("description").slice(0, 2_000);
    const rest = (["quantity", "unitPrice", "discount"] as const).map(cellOf);
    if (description === "" && rest.every((cell) => cell === "")) return [];
    if (hasPrices && rest.every((cell) => cell === "")) return [newLine(newKey(), "heading", { description })];
    return [
      newLine(newKey(), "item", {
        description,
        quantity: figureOf(cellOf("quantity"), mark) || "1",
        unit: cellOf("unit").slice(0, LONGEST_UNIT),
        unitPrice: figureOf(cellOf("unitPrice"), mark),
        discount: discountOf(cellOf("discount"), mark),
      }),
    ];
  });
}

function guessed(rows: readonly (readonly string[])[], width: number, mark: DecimalMark): PastedColumn[] {
  const kinds = Array.from({ length: width }, (_, index) =>
    kindOf(
      rows.map((row) => row[index] ?? ""),
      mark,
    ),
  );
  const numbers = kinds.flatMap((kind, index) => (kind === "number" ? [index] : []));
  const texts = kinds.flatMap((kind, index) => (kind === "text" ? [index] : []));
  const lengthOf = (column: number) => rows.reduce((sum, row) => sum + (row[column]?.length ?? 0), 0);
  const description = texts.reduce((best, each) => (lengthOf(each) > lengthOf(best) ? each : best), texts[0] ?? 0);
  const unit = texts.find(
    (index) => index > description && rows.every((row) => (row[index] ?? "").length <= LONGEST_UNIT),
  );
  const [quantity, price] = numbers.length > 1 ? numbers : [-1, numbers[0]];
  return kinds.map((kind, index) => {
    if (index === description) return "description";
    if (index === quantity) return "quantity";
    if (index === price) return "unitPrice";
    if (index === unit) return "unit";
    return kind === "percent" ? "discount" : "ignored";
  });
}

function kindOf(cells: readonly string[], mark: DecimalMark): "number" | "percent" | "text" | "empty" {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
  if (filled.length === 0) return "empty";
  if (filled.every((cell) => cell.endsWith("%"))) return "percent";
  return filled.every((cell) => isNumber(cell, mark)) ? "number" : "text";
}

/** The mark with which more of the cells are numbers. */
function markOf(rows: readonly (readonly string[])[], mark: DecimalMark): DecimalMark {
  const other: DecimalMark = mark === "," ? "." : ",";
  const cells = rows.flat().filter((cell) => /\d/.test(cell));
  const readable = (each: DecimalMark) => cells.filter((cell) => isNumber(cell, each)).length;
  return readable(other) > readable(mark) ? other : mark;
}

function isNumber(cell: string, mark: DecimalMark): boolean {
  return (
    /\d/.test(cell) && !/[^\W\d_]{4,}/u.test(cell) && readDecimal(bare(cell), mark) !== null && cell.trim().length <= 24
  );
}

function figureOf(cell: string, mark: DecimalMark): string {
  return cell === "" ? "" : (readDecimal(bare(cell), mark) ?? cell);
}

function discountOf(cell: string, mark: DecimalMark): string {
  if (!cell.endsWith("%")) return figureOf(cell, mark);
  const percent = figureOf(cell.slice(0, -1).trim(), mark);
  return percent === "0" ? "" : `${percent}%`;
}

/** Without the sign or code of a currency: `$ 1.480,50`, `ARS 20`. */
function bare(cell: string): string {
  return cell
    .trim()
    .replace(/^[A-Z]{0,3}[$€£¥₿R]{0,2}\s*/u, "")
    .replace(/\s*[A-Z€£¥$]{1,3}$/u, "");
}

function plain(cell: string): string {
  return cell
    .normalize("NFD")
    .replace(/[\u0300-\u036f\s_:]/g, "")
    .toLowerCase();
}

function named(column: PastedColumn, names: string): Record<string, PastedColumn> {
  return Object.fromEntries(names.split(" ").map((name) => [name, column]));
}
