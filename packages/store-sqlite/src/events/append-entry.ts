import {
  type AuditEntry,
  type DomainEvent,
  type EntryPlace,
  entryHash,
  entryText,
  subjectKindOf,
} from "@budgetkit/core/store";
import { asInteger, asText, idToWrite, orNull } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";
import { storageCounter } from "../limits/storage-use.js";

const HEAD = "SELECT last_sequence, last_hash FROM budgetkit_event_counters WHERE business_id = ?";

const MOVE_HEAD = `INSERT INTO budgetkit_event_counters (business_id, last_sequence, last_hash) VALUES (?, ?, ?)
  ON CONFLICT (business_id) DO UPDATE SET last_sequence = excluded.last_sequence, last_hash = excluded.last_hash`;

/** What an entry's type has before the dot. */
export const SUBJECT_KIND = "substr(type, 1, instr(type, '.') - 1)";

/** The entries of a subject may have been removed. */
const LAST_REVISION = `SELECT coalesce(
    (SELECT revision FROM budgetkit_events
     WHERE business_id = given.business AND subject_id = given.subject AND ${SUBJECT_KIND} = given.kind
     ORDER BY sequence DESC LIMIT 1),
    (SELECT revision FROM budgetkit_former_revisions AS former
     WHERE former.business_id = given.business AND former.kind = given.kind AND former.subject_id = given.subject),
    0)
  FROM (SELECT ? AS business, ? AS subject, ? AS kind) AS given`;

const INSERT_ENTRY = `INSERT INTO budgetkit_events
  (business_id, id, type, occurred_at, subject_id, document, sequence, revision, hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** An entry with its text. */
export interface EncodedEntry {
  readonly entry: DomainEvent | AuditEntry;
  readonly text: string;
  readonly bytes: number;
}

export function encodedEntry(entry: DomainEvent | AuditEntry): EncodedEntry {
  const text = entryText(entry);
  return { entry, text, bytes: Buffer.byteLength(text) };
}

/**
 * Appends an entry in the transaction of its change, and returns its place. The transaction draws the place and the hash,
 * so a rollback leaves no gap.
 */
export function entryAppender(connection: Connection): (encoded: EncodedEntry) => EntryPlace {
  const headOf = connection.row(HEAD);
  const moveHead = connection.command(MOVE_HEAD);
  const lastRevision = connection.value(LAST_REVISION);
  const insert = connection.command(INSERT_ENTRY);
  return ({ entry, text }) => {
    const { id, type, occurredAt, subjectId } = entry;
    const business = idToWrite(entry.businessId);
    const [last, link] = headOf(business) ?? [0, null];
    const sequence = asInteger(last) + 1;
    const isFirst = type === "budget.created"; // nothing else creates a budget
    const before = isFirst ? 0 : asInteger(lastRevision(business, subjectId, subjectKindOf(type)));
    const revision = before + 1;
    const hash = entryHash(text, { previous: orNull(link, asText), revision, sequence });
    moveHead(business, sequence, hash);
    insert(business, id, type, occurredAt, subjectId, text, sequence, revision, hash);
    return { sequence, revision };
  };
}

/**
 * Appends the audit entry of a change in its transaction, and counts its bytes; null = none. Encoding happens before the
 * transaction.
 */
export function auditWriter(connection: Connection): (entry: AuditEntry | null) => () => void {
  const count = storageCounter(connection);
  const append = entryAppender(connection);
  return (entry) => {
    if (entry === null) return () => {};
    const encoded = encodedEntry(entry);
    return () => {
      append(encoded);
      count(idToWrite(entry.businessId), { documentBytes: encoded.bytes });
    };
  };
}
