import { entryHash, entryText, type LedgerEntry } from "../events/ledger-entry.js";
import { type ChainRule, firstGone, wasMissing } from "./chain-rule.js";
import type { LedgerBounds, LedgerPosition } from "./ledger-store.js";

/** The first entry of a ledger that is not as the service wrote it. */
export interface LedgerFault {
  /** What was done to it by other means than the service. `removed` also where it cannot be verified who removed them. */
  readonly kind: "changed" | "removed" | "added";
  /** The sequence of the entry. */
  readonly sequence: number;
  /** For people to read. */
  readonly says: string;
}

export interface VerifiedRun {
  readonly at: LedgerPosition; // the last entry without a fault
  readonly proven: number; // entries with a hash that is theirs
  readonly fault: LedgerFault | null; // the first
}

export const BEFORE_FIRST: LedgerPosition = { sequence: 0, hash: null };

/** Verifies a run of entries that follows `from`, up to the first fault. */
export function verifyEntries(from: LedgerPosition, entries: readonly LedgerEntry[], rule: ChainRule): VerifiedRun {
  let at = from;
  let proven = 0;
  for (const entry of entries) {
    const fault = faultOf(at, entry, rule);
    if (fault !== null) return { at, proven, fault };
    at = { sequence: entry.entry.sequence, hash: entry.hash };
    if (entry.hash !== null) proven += 1;
  }
  return { at, proven, fault: null };
}

function faultOf(
  before: LedgerPosition,
  { entry, hash, isFiledRight }: LedgerEntry,
  rule: ChainRule,
): LedgerFault | null {
  const { sequence } = entry;
  const { chainedFrom } = rule;
  if (sequence <= before.sequence) return added(sequence, "stands where retention has removed all entries");
  if (wasMissing(sequence, rule)) return added(sequence, "stands where no entry was when the chain began");
  const gone = firstGone(before.sequence, sequence, rule);
  if (gone !== null) return removed(gone, "is missing");
  if (sequence < chainedFrom) {
    return hash === null ? null : added(sequence, `has a hash, and the chain begins with the entry ${chainedFrom}`);
  }
  if (hash === null) return added(sequence, "has no hash");
  if (!isHashOf(hash, entry, before)) {
    const says = `the entry ${sequence} does not match its hash: it was changed, or an entry before it with its hash`;
    return { kind: "changed", sequence, says };
  }
  if (isFiledRight) return null;
  const says = `the entry ${sequence} is filed under another type, subject, time or id than its own`;
  return { kind: "changed", sequence, says };
}

function isHashOf(hash: string, entry: LedgerEntry["entry"], before: LedgerPosition): boolean {
  const { sequence, revision, ...written } = entry;
  try {
    return hash === entryHash(entryText(written), { previous: before.hash, revision, sequence });
  } catch {
    return false; // what was written has a canonical form
  }
}

/** Compares the last verified entry with the counter of the business, which the commits move. */
export function verifyHead(
  at: LedgerPosition,
  { head }: Pick<LedgerBounds, "head">,
  rule: ChainRule,
): LedgerFault | null {
  if (at.sequence > head.sequence) return added(head.sequence + 1, "is beyond the last one that was counted");
  const gone = firstGone(at.sequence, head.sequence + 1, rule);
  if (gone !== null) return removed(gone, `is missing, of ${head.sequence} that were written`);
  if (at.hash === head.hash) return null;
  const says = `the entry ${head.sequence} has another hash than was counted`;
  return { kind: "changed", sequence: head.sequence, says };
}

function added(sequence: number, why: string): LedgerFault {
  return { kind: "added", sequence, says: `the entry ${sequence} ${why}` };
}

function removed(sequence: number, why: string): LedgerFault {
  return { kind: "removed", sequence, says: `the entry ${sequence} ${why}` };
}
