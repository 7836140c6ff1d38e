import { type RefObject, useCallback, useEffect, useReducer, useRef } from "react";
import type { Column } from "./editor-context.js";
import { findCell } from "./grid/grid-cells.js";

/** Moves the focus to a cell. One that is drawn by the same change gets it once it is there. */
export function useFocusCell(root: RefObject<HTMLElement | null>): (line: string, column: Column) => void {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const wanted = useRef<{ readonly line: string; readonly column: Column } | null>(null);
  useEffect(() => {
    if (wanted.current === null || root.current === null) return;
    const { line } = wanted.current;
    const cell = findCell(root.current, wanted.current) ?? findCell(root.current, { line, column: "description" });
    if (cell === null) return;
    wanted.current = null;
    cell.focus();
    cell.scrollIntoView({ block: "nearest" });
  });
  return useCallback((line, column) => {
    wanted.current = { line, column };
    draw();
  }, []);
}
