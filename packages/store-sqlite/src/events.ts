import type {
  AuditEntry,
  DomainEvent,
  EventQuery,
  EventStore,
  StoredAuditEntry,
  StoredEvent,
} from "@budgetkit/core/store";
import type { Connection, SqlValue } from "./connection.js";
import { idToFind, idToWrite } from "./ids.js";
import { remembered } from "./remembered.js";
import { asDocument, asInteger, type Row } from "./rows.js";

const INSERT_EVENT = `INSERT INTO budgetkit_events (business_id, id, type, occurred_at, subject_id, document)
  VALUES (?, ?, ?, ?, ?, ?)`;

/**
 * Writes events into the outbox, where they wait for their fan-out, as a part of the transaction of the change that they
 * tell of. Their encoding happens before, outside of the transaction.
 */
export function outboxWriter(connection: Connection): (events: readonly DomainEvent[]) => () => void {
  const insert = connection.command(INSERT_EVENT);
  const markUndispatched = connection.command(
    "INSERT INTO budgetkit_undispatched_events (sequence, business_id) VALUES (last_insert_rowid(), ?)",
  );
  return (events) => {
    const rows = events.map((event) => ({ values: columnValuesOf(event), business: idToWrite(event.businessId) }));
    return () => {
      for (const { values, business } of rows) {
        insert(...values);
        markUndispatched(business);
      }
    };
  };
}

/** Audit entries stand among the events; since they are never marked as waiting, nobody is sent them. */
export function sqliteEvents(connection: Connection): EventStore {
  const insert = connection.command(INSERT_EVENT);
  const countOf = remembered((where) => connection.value(`SELECT count(*) FROM budgetkit_events WHERE ${where}`));
  const pageOf = remembered((where) =>
    connection.rows(
      `SELECT sequence, document FROM budgetkit_events WHERE ${where} ORDER BY sequence DESC LIMIT ? OFFSET ?`,
    ),
  );
  // Along its subject, of which there are few events; of one moment a host that makes thousands at once has thousands.
  const find = connection.value(
    `SELECT 1 FROM budgetkit_events
     WHERE business_id = ? AND subject_id = ? AND type = ? AND +occurred_at = ? AND id = ? LIMIT 1`,
  );

  return {
    listEvents: (businessId, query) =>
      connection.snapshot(() => {
        const { where, values } = filtersOf(businessId, query);
        const total = asInteger(countOf(where)(...values));
        const entries = pageOf(where)(...values, query.limit, query.offset).map(asStoredEntry);
        return { entries, total, nextCursor: null };
      }),

    hasEvents: (events) =>
      connection.snapshot(() =>
        events.map(({ businessId, subjectId, type, occurredAt, id }) => {
          return find(idToFind(businessId), subjectId, type, occurredAt, id) !== undefined;
        }),
      ),

    appendAudit: async (entry) => {
      const values = columnValuesOf(entry);
      await connection.write(() => insert(...values));
    },
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

function columnValuesOf(event: DomainEvent | AuditEntry): SqlValue[] {
  const { businessId, id, type, occurredAt, subjectId } = event;
  return [idToWrite(businessId), id, type, occurredAt, subjectId, JSON.stringify(event)];
}

function asStoredEntry([sequence, document]: Row): StoredEvent | StoredAuditEntry {
  return { ...asDocument<DomainEvent | AuditEntry>(document), sequence: asInteger(sequence) };
}

export function asStoredEvent([sequence, document]: Row): StoredEvent {
  return { ...asDocument<DomainEvent>(document), sequence: asInteger(sequence) };
}
