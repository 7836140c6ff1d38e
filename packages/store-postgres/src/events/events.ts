import type { EventQuery, EventStore } from "@budgetkit/core/store";
import { asLedgerEntries, asPlace, asStoredEntries, idToFind, LEDGER_COLUMNS } from "@budgetkit/store-kit";
import { allOf, atLeast, atMost, type Condition, equals, pageAndTotal } from "../commit/conditions.js";
import type { Connection } from "../commit/connection.js";
import { textToFind } from "../engine/arguments.js";

export function postgresEvents(connection: Connection): EventStore {
  // By subject, which has few events. By time there may be thousands; "+ 0" keeps the planner from that index.
  const findNames = connection.lookUp({
    key: { business: "bigint", subject: "text", type: "text", moment: "bigint", id: "text" },
    row: `SELECT sequence, revision FROM @events
      WHERE business_id = key.business AND subject_id = key.subject AND type = key.type
        AND occurred_at + 0 = key.moment AND id = key.id`,
  });

  const nextEntries = connection.rows(
    `SELECT ${LEDGER_COLUMNS} FROM @events
     WHERE business_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`,
  );

  return {
    listEvents: async (businessId, query) => {
      const where = allOf(filtersOf(idToFind(businessId), query));
      const { total, rows } = await pageAndTotal(connection, {
        total: `SELECT count(*) AS n FROM @events WHERE ${where.sql}`,
        page: `SELECT sequence, revision, document FROM @events WHERE ${where.sql} ORDER BY sequence DESC`,
        order: "page.sequence DESC",
        columns: ["sequence", "revision", "document"],
        values: where.values,
        limit: query.limit,
        offset: query.offset,
      });
      return { entries: await asStoredEntries(rows), total, nextCursor: null };
    },

    readLedger: async (businessId, { after, limit }) =>
      asLedgerEntries(await nextEntries(idToFind(businessId), after, limit)),

    placesOfEvents: async (events) => {
      const rows = await findNames(
        events.map(({ businessId, subjectId, type, occurredAt, id }) => [
          idToFind(businessId),
          textToFind(subjectId),
          type,
          occurredAt,
          textToFind(id),
        ]),
      );
      return rows.map((row) => (row === null ? null : asPlace(row)));
    },
  };
}

function filtersOf(business: number, { type, within, subjectId, since, until }: EventQuery): Condition[] {
  return [
    equals("business_id", business),
    ...(subjectId === null ? [] : [equals("subject_id", textToFind(subjectId))]),
    ...(type === null ? [] : [equals("type", type)]),
    ...(within === undefined ? [] : [{ sql: "type = ANY (?::text[])", values: [within] }]),
    ...(since === null ? [] : [atLeast("occurred_at", since)]),
    ...(until === null ? [] : [atMost("occurred_at", until)]),
  ];
}
