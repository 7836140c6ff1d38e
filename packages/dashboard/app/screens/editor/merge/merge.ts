import type { EditedBudget, Head } from "../document/edited-budget.js";
import type { Line } from "../document/line.js";
import { sameValue } from "../document/same-value.js";
import { changedFields, isReordered } from "./differences.js";

export type Side = "mine" | "theirs";

/** A field that both changed, each to another value; or a line that one removed and the other changed. */
export interface Conflict {
  readonly id: string;
  readonly line: Line | null; // as it was before both; null = a field of the budget
  readonly field: keyof Head | keyof Line | null; // null = the line as a whole
  readonly base: unknown;
  readonly mine: unknown; // null of a line as a whole = removed
  readonly theirs: unknown;
}

export interface Merged {
  readonly budget: EditedBudget;
  readonly conflicts: readonly Conflict[];
}

type Choose = (conflict: Conflict) => Side;

/** Budgets of which the first is the last one that both sides had. */
export interface Sides {
  readonly base: EditedBudget;
  readonly mine: EditedBudget;
  readonly theirs: EditedBudget;
}

/**
 * Brings two edits of one budget together: field by field, line by line. Where one side alone changed something, its
 * change is kept. Where both did, `choose` decides; until somebody has chosen, mine stays.
 */
export function merge({ base, mine, theirs }: Sides, choose: Choose = () => "mine"): Merged {
  const conflicts: Conflict[] = [];
  const settle = (conflict: Conflict): unknown => {
    conflicts.push(conflict);
    return choose(conflict) === "mine" ? conflict.mine : conflict.theirs;
  };
  const head = mergeFields({ base: base.head, mine: mine.head, theirs: theirs.head }, null, settle);
  const merged = new Map<string, Line>();
  const lines = { base: byKey(base), mine: byKey(mine), theirs: byKey(theirs) };
  for (const key of new Set([...lines.mine.keys(), ...lines.theirs.keys()])) {
    const line = mergeLine(
      { base: lines.base.get(key), mine: lines.mine.get(key), theirs: lines.theirs.get(key) },
      settle,
    );
    if (line !== null) merged.set(key, line);
  }
  const ordered = orderOf({ base, mine, theirs })
    .map((key) => merged.get(key))
    .filter((line) => line !== undefined);
  return { budget: { head, lines: withoutOrphans(ordered) }, conflicts };
}

interface LineSides {
  readonly base: Line | undefined;
  readonly mine: Line | undefined;
  readonly theirs: Line | undefined;
}

/** Null = removed. */
function mergeLine({ base, mine, theirs }: LineSides, settle: (conflict: Conflict) => unknown): Line | null {
  if (base === undefined) {
    if (mine !== undefined && theirs !== undefined) {
      return mergeFields({ base: mine, mine, theirs }, mine, settle);
    }
    return mine ?? theirs ?? null;
  }
  if (mine !== undefined && theirs !== undefined) return mergeFields({ base, mine, theirs }, base, settle);
  const left = mine ?? theirs;
  if (left === undefined || sameValue(left, base)) return null;
  const whole = settle({ id: base.key, line: base, field: null, base, mine: mine ?? null, theirs: theirs ?? null });
  return whole === null ? null : left;
}

interface FieldSides<T> {
  readonly base: T;
  readonly mine: T;
  readonly theirs: T;
}

function mergeFields<T extends Head | Line>(
  { base, mine, theirs }: FieldSides<T>,
  line: Line | null,
  settle: (conflict: Conflict) => unknown,
): T {
  const changed = changedFields(base, theirs);
  const settled = changed.map((field) => {
    const isMine = !sameValue(base[field], mine[field]) && !sameValue(mine[field], theirs[field]);
    if (!isMine) return [field, theirs[field]];
    const name = field as keyof Head | keyof Line;
    const sides = { base: base[field], mine: mine[field], theirs: theirs[field] };
    return [field, settle({ id: `${line?.key ?? "budget"} ${field}`, line, field: name, ...sides })];
  });
  return settled.length === 0 ? mine : { ...mine, ...Object.fromEntries(settled) };
}

/**
 * The order of the side that moved lines, mine where both did. What the other one added stands below the line below which
 * it was added.
 */
function orderOf({ base, mine, theirs }: Sides): readonly string[] {
  const isMine = isReordered(base.lines, mine.lines);
  const [frame, other] = isMine ? [mine, theirs] : [theirs, mine];
  const order = frame.lines.map(({ key }) => key);
  let above = -1; // index in the order of the line above
  for (const { key } of other.lines) {
    const present = order.indexOf(key);
    if (present === -1) {
      above += 1;
      order.splice(above, 0, key);
    } else {
      above = present;
    }
  }
  return order;
}

/** Options whose choice the other side removed become lines that the customer may take. */
function withoutOrphans(lines: readonly Line[]): readonly Line[] {
  const choices = new Set(lines.filter(({ kind }) => kind === "choice").map(({ choice }) => choice));
  return lines.map((line) =>
    line.kind !== "item" || line.choice === null || choices.has(line.choice)
      ? line
      : { ...line, choice: null, optional: true },
  );
}

function byKey({ lines }: EditedBudget): ReadonlyMap<string, Line> {
  return new Map(lines.map((line) => [line.key, line]));
}
