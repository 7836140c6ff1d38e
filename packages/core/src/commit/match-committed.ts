import type { Committed } from "./commit.js";
import { isTaken, type Refusal, type Taken } from "./refusal.js";

/** A refusal, a taken value by its name. */
type RefusalName = Exclude<Refusal, Taken> | Taken["taken"];

interface Outcomes extends Readonly<Partial<Record<RefusalName, unknown>>> {
  readonly written: unknown;
}

/**
 * The outcome of a commit for its operation, which names one for `written` and one for each refusal that the commit can
 * get. Throws for any other refusal.
 */
export function matchCommitted<const O extends Outcomes>(
  committed: Committed,
  outcomes: O & { readonly [Name in Exclude<keyof O, keyof Outcomes>]: never },
): O[keyof O] {
  const written: keyof O = "written";
  if (committed.kind === "written") return outcomes[written];
  const { by } = committed;
  const refusal = isTaken(by) ? by.taken : by;
  const named: O = outcomes;
  for (const name in named) if (name === refusal) return named[name];
  const name = isTaken(by) ? `${by.taken} taken` : by;
  throw new Error(`the store refused a commit as "${name}", which does not apply to it`);
}

/** For a commit that no store refuses. Throws for a refusal. */
export function requireWritten(committed: Committed): void {
  matchCommitted(committed, { written: null });
}
