import type { KeyboardEvent, RefObject } from "react";
import { useWords } from "../../../words/use-words.js";
import type { EditedBudget } from "../document/edited-budget.js";
import { isBlank, type Line, newKey, newLine } from "../document/line.js";
import {
  duplicateLine,
  indentLine,
  insertBelow,
  moveLine,
  outdentLine,
  removeLine,
} from "../document/line-operations.js";
import { useEditorTools } from "../editor-context.js";
import { ADD_ROW, type Cell, cellBeside, cellOf, cellWithin, isAtEdge } from "./grid-cells.js";

const STEPS: Readonly<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };

/** The keys of the grid: new line, move, indent, duplicate, remove, and the arrows between cells. */
export function useGridKeys(root: RefObject<HTMLElement | null>, budget: EditedBudget) {
  const { change, focusCell, announce } = useEditorTools();
  const words = useWords().editor;
  const { lines } = budget;

  const move = (cell: Cell, step: -1 | 1) => {
    const moved = moveLine(budget, cell.line, step);
    change((now) => moveLine(now, cell.line, step));
    focusCell(cell.line, cell.column);
    const place = moved.lines.findIndex(({ key }) => key === cell.line) + 1;
    announce(words.moved(nameOf(lines, cell.line), place, moved.lines.length));
  };

  const addBelow = (cell: Cell, line: Line) => {
    if (isBlank(line) && line.choice !== null) {
      change((now) => outdentLine(now, line.key));
      focusCell(line.key, "description");
      return;
    }
    const added = newLine(newKey(), "item");
    change((now) => insertBelow(now, cell.line, added));
    focusCell(added.key, "description");
  };

  const remove = (cell: Cell) => {
    const index = lines.findIndex(({ key }) => key === cell.line);
    const next = lines[index - 1] ?? lines[index + 1];
    change((now) => removeLine(now, cell.line));
    focusCell(next?.key ?? ADD_ROW, "description");
    announce(words.removed(nameOf(lines, cell.line)));
  };

  const go = (event: KeyboardEvent, target: HTMLElement | null) => {
    if (target === null) return;
    event.preventDefault();
    target.focus();
    if (target instanceof HTMLInputElement) target.select();
  };

  return (event: KeyboardEvent) => {
    const cell = cellOf(event.target);
    const element = root.current;
    if (cell === null || element === null || event.defaultPrevented || event.nativeEvent.isComposing) return;
    const { key, altKey, shiftKey } = event;
    const isMod = event.metaKey || event.ctrlKey;
    const step = STEPS[key];
    const isUpOrDown = key === "ArrowUp" || key === "ArrowDown";
    const line = lines.find((each) => each.key === cell.line);
    if (step !== undefined && !isMod && !shiftKey && !altKey) {
      if (!isAtEdge(event.target, key)) return;
      const rows = [...lines.map((each) => each.key), ADD_ROW];
      go(event, isUpOrDown ? cellBeside(element, cell, rows, step) : cellWithin(element, cell, step));
      return;
    }
    if (line === undefined) return;
    const act = actionOf();
    if (act === null) return;
    event.preventDefault();
    act();

    function actionOf(): (() => void) | null {
      if (cell === null || line === undefined) return null;
      if (step !== undefined && altKey && !isMod) {
        if (isUpOrDown) return () => move(cell, step);
        return () => {
          change((now) => (step === 1 ? indentLine(now, cell.line) : outdentLine(now, cell.line)));
          focusCell(cell.line, cell.column);
        };
      }
      if (key === "Enter" && !shiftKey && !isMod && !altKey && !(event.target instanceof HTMLButtonElement)) {
        return () => addBelow(cell, line);
      }
      if (key === "Backspace" && isMod && shiftKey) return () => remove(cell);
      if (key === "Backspace" && isBlank(line) && cell.column === "description" && line.description === "") {
        return () => remove(cell);
      }
      if (key.toLowerCase() === "d" && isMod && !shiftKey) {
        return () => {
          const next = duplicateLine(budget, cell.line, newKey);
          change(() => next);
        };
      }
      return null;
    }
  };
}

/** How a line is called where it is spoken about. */
export function nameOf(lines: readonly Line[], key: string): string {
  const index = lines.findIndex((line) => line.key === key);
  const [name = ""] = lines[index]?.description.split("\n") ?? [];
  return name === "" ? String(index + 1) : name.slice(0, 80);
}
