import { at } from "./arrays.js";

const MAX_EDITS = 2;

/** The known name that `name` most likely misspells; null when none is close. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const lower = name.toLowerCase();
  let nearest: string | null = null;
  let fewest = Math.min(MAX_EDITS, Math.floor(name.length / 2)) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= fewest) continue;
    const edits = editDistance(lower, candidate.toLowerCase());
    if (edits < fewest) [nearest, fewest] = [candidate, edits];
  }
  return nearest;
}

/** The number of characters to insert, delete or replace (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = at(row, column) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, at(row, column + 1) + 1, at(next, column) + 1));
    }
    row = next;
  }
  return at(row, to.length);
}

/** Every name of an options type: the compiler refuses a missing one and an unknown one. */
export type OptionNames<Options> = Readonly<Record<Options extends unknown ? keyof Options : never, true>>;

/** Throws a RangeError that names an option that `owner` does not have. `owner` reads `createBudgetService`. */
export function checkOptionNames<Options extends object>(
  owner: string,
  options: Options | undefined,
  names: OptionNames<Options>,
): void {
  const known = Object.keys(names);
  const unknown = Object.keys(options ?? {}).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, known);
  const advice = nearest === null ? `Options: ${known.join(", ")}` : `Did you mean "${nearest}"?`;
  throw new RangeError(`${owner} has no option "${unknown}". ${advice}`);
}
