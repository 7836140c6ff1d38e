import { entryHash, entryText, type LedgerEntry } from "../events/ledger-entry.js";
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

export type VerifiedRun = { readonly at: LedgerPosition } | { readonly fault: LedgerFault };

export const BEFORE_FIRST: LedgerPosition = { sequence: 0, hash: null };

/** Verifies a run of entries that follows `from`. Stops at the first fault; else gives the position of the last entry. */
export function verifyEntries(from: LedgerPosition, entries: readonly LedgerEntry[]): VerifiedRun {
  let at = from;
  for (const entry of entries) {
    const fault = faultOf(at, entry);
    if (fault !== null) return { fault };
    at = { sequence: entry.entry.sequence, hash: entry.hash };
  }
  return { at };
}

function faultOf(before: LedgerPosition, { entry, hash, isFiledRight }: LedgerEntry): LedgerFault | null {
  const { sequence } = entry;
  if (sequence <= before.sequence) return added(sequence, "stands where retention has removed all entries");
  // Entries from before the chain are numbered, but nothing proves them.
  if (hash === null) return before.hash === null ? null : added(sequence, "has no hash");
  if (isHashOf(hash, entry, before)) {
    if (isFiledRight) return null;
    const says = `the entry ${sequence} is filed under another type, subject, time or id than its own`;
    return { kind: "changed", sequence, says };
  }
  if (sequence > before.sequence + 1) return removed(before.sequence + 1, "is missing");
  const says = `the entry ${sequence} does not match its hash: it was changed, or an entry before it with its hash`;
  return { kind: "changed", sequence, says };
}

function isHashOf(hash: string, entry: LedgerEntry["entry"], before: LedgerPosition): boolean {
  const { sequence, revision, ...written } = entry;
  if (before.hash !== null && sequence !== before.sequence + 1) return false;
  try {
    return hash === entryHash(entryText(written), { previous: before.hash, revision, sequence });
  } catch {
    return false; // what was written has a canonical form
  }
}

/** Compares the last verified entry with the counter of the business, which the commits move. */
export function verifyHead(at: LedgerPosition, { head }: Pick<LedgerBounds, "head">): LedgerFault | null {
  if (at.sequence > head.sequence) return added(head.sequence + 1, "is beyond the last one that was counted");
  if (head.hash === null && at.hash === null) return null; // nothing was written since the chain exists
  if (at.sequence < head.sequence) return removed(at.sequence + 1, `is missing, of ${head.sequence} that were written`);
  if (at.hash === head.hash) return null;
  const says = `the entry ${at.sequence} has another hash than was counted`;
  return { kind: "changed", sequence: at.sequence, says };
}

function added(sequence: number, why: string): LedgerFault {
  return { kind: "added", sequence, says: `the entry ${sequence} ${why}` };
}

function removed(sequence: number, why: string): LedgerFault {
  return { kind: "removed", sequence, says: `the entry ${sequence} ${why}` };
}
