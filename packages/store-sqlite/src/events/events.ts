import { type EventQuery, type EventStore, memoize } from "@budgetkit/core/store";
import { asInteger, asLedgerEntries, asPlace, asStoredEntries, idToFind, LEDGER_COLUMNS } from "@budgetkit/store-kit";
import type { Connection, SqlValue } from "../engine/connection.js";

/** Audit entries are rows among the events. They are never marked as undispatched, so they are not delivered. */
export function sqliteEvents(connection: Connection): EventStore {
  const countOf = memoize((where) => connection.value(`SELECT count(*) FROM budgetkit_events WHERE ${where}`));
  const pageOf = memoize((where) =>
    connection.rows(
      `SELECT sequence, revision, document FROM budgetkit_events WHERE ${where} ORDER BY sequence DESC LIMIT ? OFFSET ?`,
    ),
  );
  // + keeps SQLite on the index by subject: a subject has few events, one millisecond may have thousands.
  const findPlace = connection.row(
    `SELECT sequence, revision FROM budgetkit_events
     WHERE business_id = ? AND subject_id = ? AND type = ? AND +occurred_at = ? AND id = ? LIMIT 1`,
  );
  const nextEntries = connection.rows(
    `SELECT ${LEDGER_COLUMNS} FROM budgetkit_events
     WHERE business_id = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
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

    readLedger: async (businessId, { after, limit }) =>
      asLedgerEntries(await connection.snapshot(() => nextEntries(idToFind(businessId), after, limit))),

    placesOfEvents: (events) =>
      connection.snapshot(() =>
        events.map(({ businessId, subjectId, type, occurredAt, id }) => {
          const row = findPlace(idToFind(businessId), subjectId, type, occurredAt, id);
          return row === null ? null : asPlace(row);
        }),
      ),
  };
}

function filtersOf(businessId: string, query: EventQuery): { where: string; values: SqlValue[] } {
  const filters: readonly (readonly [sql: string, value: SqlValue])[] = [
    ["business_id = ?", idToFind(businessId)],
    ["subject_id = ?", query.subjectId],
    ["type = ?", query.type],
    ["type IN (SELECT value FROM json_each(?))", query.within === undefined ? null : JSON.stringify(query.within)],
    ["occurred_at >= ?", query.since],
    ["occurred_at <= ?", query.until],
  ];
  const given = filters.filter(([, value]) => value !== null);
  return { where: given.map(([sql]) => sql).join(" AND "), values: given.map(([, value]) => value) };
}
