import {
  type AuditEntry,
  asInteger,
  asStoredEntries,
  type DomainEvent,
  type EventQuery,
  type EventStore,
  idToFind,
  idToWrite,
  memoize,
  type StorageUse,
} from "@budgetkit/core/store";
import type { Connection, SqlValue } from "../engine/connection.js";
import { storageCounter } from "../limits/storage-use.js";

const INSERT_EVENT = `INSERT INTO budgetkit_events (business_id, id, type, occurred_at, subject_id, document, sequence)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;

/** Draws the next sequence of a business, in the transaction that writes the event: a rollback leaves no gap. */
const NEXT_SEQUENCE = `INSERT INTO budgetkit_event_counters (business_id, last_sequence) VALUES (?, 1)
  ON CONFLICT (business_id) DO UPDATE SET last_sequence = last_sequence + 1 RETURNING last_sequence`;

/** The index of keys with a webhook is built on exactly these words. */
export const WITH_WEBHOOK = "document ->> 'status' = 'ACTIVE' AND document ->> 'webhookUrl' IS NOT NULL";

/** An event of a business without subscribers does not wait: the transaction sees every subscriber that came before it. */
const MARK_UNDISPATCHED = `INSERT INTO budgetkit_undispatched_events (position, business_id, sequence)
  SELECT last_insert_rowid(), event.business, event.sequence FROM (SELECT ? AS business, ? AS sequence) AS event
  WHERE EXISTS (SELECT 1 FROM budgetkit_endpoints WHERE business_id = event.business AND status = 'ACTIVE')
    OR EXISTS (
      SELECT 1 FROM budgetkit_keys INDEXED BY budgetkit_keys_with_webhook
      WHERE business_id = event.business AND ${WITH_WEBHOOK}
    )`;

/** The encoded events of a change. */
export interface OutboxWrite {
  /** The bytes of their documents. */
  readonly bytes: number;
  /**
   * Writes them as a part of the transaction, and counts their bytes. `counted` is what else the change adds to a
   * business: both are counted in one statement.
   */
  (counted?: Partial<StorageUse> & { readonly business: number }): void;
}

/**
 * Writes the events of a change in its transaction; they wait there for their fan-out. Encoding happens before the
 * transaction.
 */
export function outboxWriter(connection: Connection): (events: readonly DomainEvent[]) => OutboxWrite {
  const count = storageCounter(connection);
  const nextSequence = connection.value(NEXT_SEQUENCE);
  const insert = connection.command(INSERT_EVENT);
  const markUndispatched = connection.command(MARK_UNDISPATCHED);
  return (events) => {
    const rows = events.map((event) => {
      const { values, bytes } = columnValuesOf(event);
      return { values, bytes, business: idToWrite(event.businessId) };
    });
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    const write: (...given: Parameters<OutboxWrite>) => void = (counted) => {
      for (const { values, business } of rows) {
        const sequence = asInteger(nextSequence(business));
        insert(...values, sequence);
        markUndispatched(business, sequence);
      }
      const business = counted?.business ?? rows[0]?.business; // the events of a change are of one business
      if (business === undefined) return;
      count(business, { ...counted, documentBytes: (counted?.documentBytes ?? 0) + bytes });
    };
    return Object.assign(write, { bytes });
  };
}

/** Writes the audit entry of a change in its transaction; null = none. Encoding happens before the transaction. */
export function auditWriter(connection: Connection): (entry: AuditEntry | null) => () => void {
  const count = storageCounter(connection);
  const nextSequence = connection.value(NEXT_SEQUENCE);
  const insert = connection.command(INSERT_EVENT);
  return (entry) => {
    if (entry === null) return () => {};
    const { values, bytes } = columnValuesOf(entry);
    const business = idToWrite(entry.businessId);
    return () => {
      insert(...values, asInteger(nextSequence(business)));
      count(business, { documentBytes: bytes });
    };
  };
}

/** Audit entries are rows among the events. They are never marked as undispatched, so they are not delivered. */
export function sqliteEvents(connection: Connection): EventStore {
  const writeAudit = auditWriter(connection);
  const countOf = memoize((where) => connection.value(`SELECT count(*) FROM budgetkit_events WHERE ${where}`));
  const pageOf = memoize((where) =>
    connection.rows(
      `SELECT sequence, document FROM budgetkit_events WHERE ${where} ORDER BY sequence DESC LIMIT ? OFFSET ?`,
    ),
  );
  // + keeps SQLite on the index by subject: a subject has few events, one millisecond may have thousands.
  const find = connection.value(
    `SELECT 1 FROM budgetkit_events
     WHERE business_id = ? AND subject_id = ? AND type = ? AND +occurred_at = ? AND id = ? LIMIT 1`,
  );

  return {
    listEvents: async (businessId, query) => {
      const { total, rows } = await connection.snapshot(() => {
        const { where, values } = filtersOf(businessId, query);
        const total = asInteger(countOf(where)(...values));
        return { total, rows: pageOf(where)(...values, query.limit, query.offset) };
      });
      return { entries: await asStoredEntries(rows), total, nextCursor: null };
    },

    hasEvents: (events) =>
      connection.snapshot(() =>
        events.map(({ businessId, subjectId, type, occurredAt, id }) => {
          return find(idToFind(businessId), subjectId, type, occurredAt, id) !== undefined;
        }),
      ),

    appendAudit: async (entry) => connection.write(writeAudit(entry)),
  };
}

function filtersOf(businessId: string, query: EventQuery): { where: string; values: SqlValue[] } {
  const filters: readonly (readonly [sql: string, value: SqlValue])[] = [
    ["business_id = ?", idToFind(businessId)],
    ["subject_id = ?", query.subjectId],
    ["type = ?", query.type],
    ["occurred_at >= ?", query.since],
    ["occurred_at <= ?", query.until],
  ];
  const given = filters.filter(([, value]) => value !== null);
  return { where: given.map(([sql]) => sql).join(" AND "), values: given.map(([, value]) => value) };
}

function columnValuesOf(event: DomainEvent | AuditEntry): { readonly values: SqlValue[]; readonly bytes: number } {
  const { businessId, id, type, occurredAt, subjectId } = event;
  const document = JSON.stringify(event);
  const values = [idToWrite(businessId), id, type, occurredAt, subjectId, document];
  return { values, bytes: Buffer.byteLength(document) };
}
