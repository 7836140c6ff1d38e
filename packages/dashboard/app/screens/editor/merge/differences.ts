import type { EditedBudget, Head } from "../document/edited-budget.js";
import type { Line } from "../document/line.js";
import { writtenLines } from "../document/line-operations.js";
import { sameValue } from "../document/same-value.js";

/** A change of one field, or of a line as a whole. `line` is its key; null = a field of the budget. */
export interface Difference {
  readonly line: string | null;
  readonly kind: "changed" | "added" | "removed" | "moved";
  readonly field: keyof Head | keyof Line | null; // null = the line as a whole
}

/** What was changed since the budget was saved. */
export function differencesOf(saved: EditedBudget, budget: EditedBudget): readonly Difference[] {
  const lines = writtenLines(budget);
  const former = new Map(saved.lines.map((line) => [line.key, line]));
  const present = new Set(lines.map(({ key }) => key));
  const head = changedFields(saved.head, budget.head).map(
    (field): Difference => ({ line: null, kind: "changed", field }),
  );
  const removed = saved.lines.filter(({ key }) => !present.has(key));
  const rest = lines.flatMap((line): Difference[] => {
    const before = former.get(line.key);
    if (before === undefined) return [{ line: line.key, kind: "added", field: null }];
    return changedFields(before, line).map((field) => ({ line: line.key, kind: "changed", field }));
  });
  const moved = isReordered(saved.lines, lines) ? [{ line: null, kind: "moved", field: null } as const] : [];
  return [
    ...head,
    ...removed.map(({ key }): Difference => ({ line: key, kind: "removed", field: null })),
    ...rest,
    ...moved,
  ];
}

export function changedFields<T extends object>(before: T, after: T): (keyof T & string)[] {
  return (Object.keys(after) as (keyof T & string)[]).filter((field) => !sameValue(before[field], after[field]));
}

/** Whether the lines that both have stand in another order. */
export function isReordered(before: readonly Line[], after: readonly Line[]): boolean {
  const kept = new Set(after.map(({ key }) => key));
  const known = new Set(before.map(({ key }) => key));
  const former = before.filter(({ key }) => kept.has(key)).map(({ key }) => key);
  const present = after.filter(({ key }) => known.has(key)).map(({ key }) => key);
  return !sameValue(former, present);
}
