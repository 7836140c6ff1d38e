import type { Column } from "../editor-context.js";

/** In place of the key of a line: the row that adds lines. */
export const ADD_ROW = "add";

export interface Cell {
  readonly line: string;
  readonly column: Column;
}

const COLUMNS: readonly Column[] = ["description", "quantity", "unitPrice", "discount", "taxes"];

/** The cell that an element is; null = it is none. */
export function cellOf(element: EventTarget | null): Cell | null {
  if (!(element instanceof HTMLElement)) return null;
  const [, line = "", name] = /^(.*):(\w+)$/.exec(element.dataset.cell ?? "") ?? [];
  const column = COLUMNS.find((each) => each === name);
  return column === undefined ? null : { line, column };
}

export function findCell(root: ParentNode, { line, column }: Cell): HTMLElement | null {
  return root.querySelector<HTMLElement>(`[data-cell="${CSS.escape(`${line}:${column}`)}"]`);
}

/** The nearest cell in the row above or below; a row without this column has its description. */
export function cellBeside(root: ParentNode, cell: Cell, rows: readonly string[], step: -1 | 1): HTMLElement | null {
  const line = rows[rows.indexOf(cell.line) + step];
  if (line === undefined) return null;
  return findCell(root, { line, column: cell.column }) ?? findCell(root, { line, column: "description" });
}

/** The cell left or right in the same row. */
export function cellWithin(root: ParentNode, { line, column }: Cell, step: -1 | 1): HTMLElement | null {
  const next = COLUMNS[COLUMNS.indexOf(column) + step];
  return next === undefined ? null : findCell(root, { line, column: next });
}

/** Whether the caret stands at the edge of the field, so that an arrow key leaves it. */
export function isAtEdge(field: EventTarget | null, key: string): boolean {
  if (field instanceof HTMLButtonElement) return true;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return false;
  const { selectionStart, selectionEnd, value } = field;
  const isAll = selectionStart === 0 && selectionEnd === value.length && value.length > 0;
  const before = value.slice(0, selectionStart ?? 0);
  const after = value.slice(selectionEnd ?? 0);
  switch (key) {
    case "ArrowUp":
      return !before.includes("\n");
    case "ArrowDown":
      return !after.includes("\n");
    case "ArrowLeft":
      return isAll || (before === "" && selectionStart === selectionEnd);
    default:
      return isAll || (after === "" && selectionStart === selectionEnd);
  }
}
