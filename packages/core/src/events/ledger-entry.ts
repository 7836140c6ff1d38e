import { canonicalJson } from "../kernel/canonical-json.js";
import { sha256Hex } from "../kernel/secret-box.js";
import type { AuditEntry, DomainEvent, EntryPlace, StoredAuditEntry, StoredEvent } from "./event.js";

/** An entry of the ledger: the events and audit entries of a business are chained in the order of their sequences. */
export interface LedgerEntry {
  readonly entry: StoredEvent | StoredAuditEntry;
  /** See {@link entryHash}; null = from before the ledger was chained. */
  readonly hash: string | null;
  /** False = the columns by which the entry is found have other values than its text. */
  readonly isFiledRight: boolean;
}

/** The text that is stored and hashed: canonical JSON (RFC 8785) of all but the place, which the commit draws. */
export function entryText(entry: DomainEvent | AuditEntry): string {
  return canonicalJson(entry);
}

export interface ChainLink extends EntryPlace {
  readonly previous: string | null; // hash of the entry before; null = the first entry of the chain
}

/**
 * The hash of an entry: SHA-256, in hexadecimal, of the canonical JSON of `{entry, previous, revision, sequence}`. A
 * change, a removal and an addition thus change every later hash.
 */
export function entryHash(text: string, { previous, revision, sequence }: ChainLink): string {
  const before = previous === null ? "null" : `"${previous}"`;
  return sha256Hex(`{"entry":${text},"previous":${before},"revision":${revision},"sequence":${sequence}}`);
}
