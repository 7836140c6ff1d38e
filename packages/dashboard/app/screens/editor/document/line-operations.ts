import type { EditedBudget } from "./edited-budget.js";
import { isBlank, isOptionOf, isSelectable, type Line } from "./line.js";

/** As many lines as a budget may have. */
export const MAX_LINES = 500;

/** Inserts lines at an index. Errors: what is beyond 500 lines is left out. */
export function insertLines(budget: EditedBudget, index: number, lines: readonly Line[]): EditedBudget {
  const room = Math.max(0, MAX_LINES - budget.lines.length);
  return withLines(budget, spliced(budget.lines, index, 0, lines.slice(0, room)));
}

/** Inserts a line below another one, into the same choice. The first option of a choice is selected. */
export function insertBelow(budget: EditedBudget, key: string, line: Line): EditedBudget {
  const index = indexOf(budget, key);
  const choice = budget.lines[index]?.choice ?? null;
  const isFirst = choice !== null && !budget.lines.some((each) => each.kind === "item" && each.choice === choice);
  return insertLines(budget, index + 1, [{ ...line, choice, selected: isFirst }]);
}

export function setFields(budget: EditedBudget, key: string, changes: Partial<Line>): EditedBudget {
  return withLines(
    budget,
    budget.lines.map((line) => (line.key === key ? { ...line, ...changes } : line)),
  );
}

/** Removes a line. The options of a removed choice stay, as lines that the customer may take. */
export function removeLine(budget: EditedBudget, key: string): EditedBudget {
  const removed = budget.lines.find((line) => line.key === key);
  if (removed === undefined) return budget;
  const rest = budget.lines.filter((line) => line.key !== key);
  return withLines(
    budget,
    rest.map((line) => (isOptionOf(line, removed) ? { ...line, choice: null, optional: true } : line)),
  );
}

/** A copy below the line, or below its options. A copied choice has copies of its options. */
export function duplicateLine(budget: EditedBudget, key: string, newKey: () => string): EditedBudget {
  const index = indexOf(budget, key);
  const [start, end] = blockOf(budget.lines, index);
  const block = budget.lines.slice(start, end);
  const [first] = block;
  if (first === undefined) return budget;
  const choice = first.kind === "choice" ? newKey() : null;
  const copies = block.map((line) => ({
    ...line,
    key: newKey(),
    ...(choice === null ? { selected: false } : { choice }),
  }));
  return insertLines(budget, end, copies);
}

/** Selects a line, or takes its selection back. In a choice of one, the others lose theirs. */
export function selectLine(budget: EditedBudget, key: string, selected: boolean): EditedBudget {
  const chosen = budget.lines.find((line) => line.key === key);
  if (chosen === undefined || !isSelectable(chosen)) return budget;
  const choice = budget.lines.find((line) => isOptionOf(chosen, line));
  const isSingle = selected && choice?.maximum === "1";
  return withLines(
    budget,
    budget.lines.map((line) => {
      if (line.key === key) return { ...line, selected };
      return isSingle && isOptionOf(line, choice) && line.selected ? { ...line, selected: false } : line;
    }),
  );
}

/** Makes an item an option of the choice above it. */
export function indentLine(budget: EditedBudget, key: string): EditedBudget {
  const index = indexOf(budget, key);
  const line = budget.lines[index];
  const choice = groupAbove(budget.lines, index);
  if (line === undefined || line.kind !== "item" || choice === null || line.choice !== null) return budget;
  const hasSelected = budget.lines.some((each) => isOptionOf(each, choice) && each.selected);
  return setFields(budget, key, { choice: choice.choice, optional: false, selected: !hasSelected });
}

/** Takes an item out of its choice; it moves below the other options. */
export function outdentLine(budget: EditedBudget, key: string): EditedBudget {
  const index = indexOf(budget, key);
  const line = budget.lines[index];
  if (line === undefined || line.kind !== "item" || line.choice === null) return budget;
  const last = budget.lines.map(({ kind, choice }) => kind === "item" && choice === line.choice).lastIndexOf(true);
  const freed = { ...line, choice: null, selected: false };
  return withLines(budget, spliced(spliced(budget.lines, index, 1), last, 0, [freed]));
}

/** Moves a line by one place. A choice moves with its options, and over other choices as a whole. */
export function moveLine(budget: EditedBudget, key: string, step: -1 | 1): EditedBudget {
  const index = indexOf(budget, key);
  const [start, end] = blockOf(budget.lines, index);
  if (index === -1 || (step === -1 ? start === 0 : end >= budget.lines.length)) return budget;
  return moveLineTo(budget, key, step === -1 ? start - 1 : end + 1);
}

/**
 * Moves a line before the line that is now at an index. An item that comes to stand among options joins them, one that
 * leaves them is none any more; what is no item never stands among them.
 */
export function moveLineTo(budget: EditedBudget, key: string, before: number): EditedBudget {
  const index = indexOf(budget, key);
  const [start, end] = blockOf(budget.lines, index);
  if (index === -1 || (before >= start && before <= end)) return budget;
  const block = budget.lines.slice(start, end);
  const rest = spliced(budget.lines, start, end - start);
  const wanted = before > start ? before - block.length : before;
  const isAlone = block.length === 1 && block[0]?.kind === "item";
  const place = isAlone ? wanted : outsideGroup(rest, wanted, before < start);
  const placed = isAlone ? block.map((line) => joined(line, rest, place)) : block;
  return withLines(budget, spliced(rest, place, 0, placed));
}

/** The line and, of a choice, its options below it: from the first index up to the second. */
function blockOf(lines: readonly Line[], index: number): readonly [number, number] {
  const first = lines[index];
  let end = index + 1;
  while (first?.kind === "choice" && isOptionAt(lines, end, first)) end += 1;
  return [index, end];
}

/** The choice to which a line at this index would belong: that of the line above. */
export function groupAbove(lines: readonly Line[], index: number): Line | null {
  const above = lines[index - 1];
  if (above === undefined || above.choice === null) return null;
  return lines.find(({ kind, choice }) => kind === "choice" && choice === above.choice) ?? null;
}

/** The lines that are saved: those in which something was written. */
export function writtenLines({ lines }: EditedBudget): readonly Line[] {
  return lines.filter((line) => !isBlank(line));
}

function joined(line: Line, rest: readonly Line[], place: number): Line {
  const group = groupAbove(rest, place);
  const below = rest[place];
  const isAmong = group !== null && below !== undefined && isOptionOf(below, group);
  if (isAmong || (group !== null && line.choice === group.choice)) {
    return line.choice === group.choice ? line : { ...line, choice: group.choice, optional: false, selected: false };
  }
  return line.choice === null ? line : { ...line, choice: null, selected: false };
}

function spliced(lines: readonly Line[], index: number, count: number, added: readonly Line[] = []): Line[] {
  return [...lines.slice(0, index), ...added, ...lines.slice(index + count)];
}

function outsideGroup(lines: readonly Line[], place: number, isUp: boolean): number {
  const isInside = (at: number) => {
    const group = groupAbove(lines, at);
    return group !== null && isOptionAt(lines, at, group);
  };
  let at = place;
  while (at > 0 && at < lines.length && isInside(at)) at += isUp ? -1 : 1;
  return at;
}

function isOptionAt(lines: readonly Line[], index: number, choice: Line): boolean {
  const line = lines[index];
  return line !== undefined && isOptionOf(line, choice);
}

function indexOf({ lines }: EditedBudget, key: string): number {
  return lines.findIndex((line) => line.key === key);
}

function withLines(budget: EditedBudget, lines: readonly Line[]): EditedBudget {
  return { ...budget, lines };
}
