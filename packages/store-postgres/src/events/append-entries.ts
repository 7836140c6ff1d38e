import {
  type AuditEntry,
  type DomainEvent,
  type EntryPlace,
  entryHash,
  entryText,
  subjectKindOf,
} from "@budgetkit/core/store";
import { asInteger } from "@budgetkit/store-kit";
import type { OpenBusiness } from "../commit/open-business.js";
import type { Statements } from "../engine/statements.js";

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

/** The revisions of the subjects of entries, as the transaction has found them. */
export type Revisions = Map<string, number>;

/** Appends entries to the ledger of a business, in two steps: the reads, and the writes. */
export interface EntryAppender {
  /** Finds the last revisions of the subjects, and the totals of the business. */
  findRevisions(open: OpenBusiness, entries: readonly EncodedEntry[]): Promise<Revisions>;
  /**
   * Appends an entry and returns its place. The lock of the business orders them, and a rollback leaves no gap.
   */
  append(open: OpenBusiness, encoded: EncodedEntry, revisions: Revisions): EntryPlace;
}

/**
 * The last revision of a subject, whose entries may have been removed. The kind is what a type has before the dot. A range
 * of one subject, since only its index has that order: by equality and sequence alone, a plan that was made while the table
 * was empty may read every entry of the business.
 */
const LAST_REVISION = `SELECT coalesce(
    (SELECT revision FROM @events
     WHERE business_id = $1 AND subject_id >= $2 AND subject_id <= $2 AND split_part(type, '.', 1) = $3
     ORDER BY subject_id DESC, sequence DESC LIMIT 1),
    (SELECT revision FROM @former_revisions WHERE business_id = $1 AND subject_id = $2 AND kind = $3),
    0)`;

export function entryAppender(statements: Statements): EntryAppender {
  const lastRevision = statements.value(LAST_REVISION);
  const insert = statements.insert("@events", {
    id: "text",
    type: "text",
    occurred_at: "bigint",
    subject_id: "text",
    document: "text",
    sequence: "bigint",
    revision: "bigint",
    hash: "text",
  });

  return {
    findRevisions: async (open, entries) => {
      const revisions: Revisions = new Map();
      const subjects = new Map(entries.map(({ entry }) => [subjectOf(entry), entry]));
      const created = new Set(
        entries.filter(({ entry }) => createsSubject(entry)).map(({ entry }) => subjectOf(entry)),
      );
      const finds = [...subjects].map(async ([subject, { subjectId, type }]) => {
        const revision = created.has(subject) ? 0 : await lastRevision(open, subjectId, subjectKindOf(type));
        revisions.set(subject, asInteger(revision));
      });
      await Promise.all([...finds, ...(entries.length > 0 ? [open.load()] : [])]);
      return revisions;
    },

    append: (open, { entry, text }, revisions) => {
      const { id, type, occurredAt, subjectId } = entry;
      const { head } = open.totals;
      const subject = subjectOf(entry);
      const sequence = head.sequence + 1;
      const revision = (revisions.get(subject) ?? 0) + 1;
      const hash = entryHash(text, { previous: head.hash, revision, sequence });
      revisions.set(subject, revision);
      open.moveHead({ sequence, hash });
      insert(open, id, type, occurredAt, subjectId, text, sequence, revision, hash);
      return { sequence, revision };
    },
  };
}

/**
 * Appends the audit entry of a change, and counts its bytes; null = none. It is encoded outside of the transaction. The
 * first function reads, the second writes.
 */
export function auditWriter(
  statements: Statements,
): (entry: AuditEntry | null) => (open: OpenBusiness) => Promise<() => void> {
  const { findRevisions, append } = entryAppender(statements);
  return (entry) => {
    if (entry === null) return async () => () => {};
    const encoded = encodedEntry(entry);
    return async (open) => {
      const revisions = await findRevisions(open, [encoded]);
      return () => {
        append(open, encoded, revisions);
        open.count({ documentBytes: encoded.bytes });
      };
    };
  };
}

/** Nothing else creates a budget, so that it has no entry before. */
function createsSubject({ type }: EncodedEntry["entry"]): boolean {
  return type === "budget.created";
}

function subjectOf({ type, subjectId }: EncodedEntry["entry"]): string {
  return `${subjectKindOf(type)} ${subjectId}`;
}
