import type { ChainBeginning, LedgerBounds } from "./ledger-store.js";

/** Which entries a ledger has to have, and which of them with a hash. */
export interface ChainRule extends Pick<ChainBeginning, "missing"> {
  /** The first entry with a hash. */
  readonly chainedFrom: number;
}

/** The beginning that decides; null = the chain begins with the first entry after the start. */
export function beginningOf({ start, beginning }: LedgerBounds): ChainBeginning | null {
  const wasChained = start !== null && start.hash !== null;
  return beginning === null || wasChained || beginning.sequence <= firstKept({ start }) ? null : beginning;
}

export function chainRuleOf(bounds: LedgerBounds): ChainRule {
  const beginning = beginningOf(bounds);
  if (beginning === null) return { chainedFrom: firstKept(bounds), missing: [] };
  return { chainedFrom: beginning.sequence, missing: beginning.missing };
}

export function firstKept({ start }: Pick<LedgerBounds, "start">): number {
  return (start?.sequence ?? 0) + 1;
}

/** The first sequence between two others that an entry should have; null = none. */
export function firstGone(after: number, before: number, { missing }: ChainRule): number | null {
  let at = after + 1;
  while (at < before) {
    const run = runOf(at, missing);
    if (run === undefined) return at;
    at = run[1] + 1;
  }
  return null;
}

/** True = no entry had the sequence when the beginning of the chain was recorded. */
export function wasMissing(sequence: number, { missing }: ChainRule): boolean {
  return runOf(sequence, missing) !== undefined;
}

function runOf(sequence: number, missing: ChainRule["missing"]) {
  return missing.find(([first, last]) => first <= sequence && sequence <= last);
}

/** The number of entries that were written and not removed by retention, by what the ledger itself says. */
export function countKept(bounds: LedgerBounds): number {
  const first = firstKept(bounds);
  const { head } = bounds;
  const { missing } = chainRuleOf(bounds);
  const gone = missing.map(([from, to]) => Math.max(0, Math.min(to, head.sequence) - Math.max(from, first) + 1));
  return Math.max(0, head.sequence - first + 1 - gone.reduce((sum, count) => sum + count, 0));
}
