import type {
  AuditEntry,
  DomainEvent,
  EventQuery,
  EventStore,
  StoredAuditEntry,
  StoredEvent,
} from "@budgetkit/core/store";
import { allOf, atLeast, atMost, type Condition, equals, pageAndTotal } from "./conditions.js";
import type { Connection } from "./connection.js";
import { idToFind, idToWrite, textToFind } from "./ids.js";
import { asDocument, asInteger, type Row } from "./rows.js";

/** An event, or an audit entry, as the functions that append it take it. */
export function eventArgument(event: DomainEvent | AuditEntry): unknown {
  const { businessId, id, type, occurredAt, subjectId } = event;
  return {
    business_id: idToWrite(businessId),
    id,
    type,
    occurred_at: occurredAt,
    subject_id: subjectId,
    document: JSON.stringify(event),
  };
}

export function postgresEvents(connection: Connection): EventStore {
  // Along its subject, of which there are few events; of one moment a host that makes thousands at once has thousands.
  const findNames = connection.lookUp({
    key: { business: "bigint", subject: "text", type: "text", moment: "bigint", id: "text" },
    row: `SELECT sequence FROM @events
      WHERE business_id = key.business AND subject_id = key.subject AND type = key.type
        AND occurred_at + 0 = key.moment AND id = key.id`,
  });

  return {
    listEvents: async (businessId, query) => {
      const where = allOf(filtersOf(idToFind(businessId), query));
      const { total, rows } = await pageAndTotal(connection, {
        total: `SELECT count(*) AS n FROM @events WHERE ${where.sql}`,
        page: `SELECT sequence, document FROM @events WHERE ${where.sql} ORDER BY sequence DESC`,
        order: "page.sequence DESC",
        columns: ["sequence", "document"],
        values: where.values,
        limit: query.limit,
        offset: query.offset,
      });
      return { entries: rows.map(asStoredEntry), total, nextCursor: null };
    },

    hasEvents: async (events) => {
      const rows = await findNames(
        events.map(({ businessId, subjectId, type, occurredAt, id }) => [
          idToFind(businessId),
          textToFind(subjectId),
          type,
          occurredAt,
          textToFind(id),
        ]),
      );
      return rows.map((row) => row !== null);
    },

    appendAudit: async (entry) => {
      await connection.commit("append_audit", idToWrite(entry.businessId), eventArgument(entry));
    },
  };
}

function filtersOf(business: number, { type, subjectId, since, until }: EventQuery): Condition[] {
  return [
    equals("business_id", business),
    ...(subjectId === null ? [] : [equals("subject_id", textToFind(subjectId))]),
    ...(type === null ? [] : [equals("type", type)]),
    ...(since === null ? [] : [atLeast("occurred_at", since)]),
    ...(until === null ? [] : [atMost("occurred_at", until)]),
  ];
}

function asStoredEntry([sequence, document]: Row): StoredEvent | StoredAuditEntry {
  return { ...asDocument<DomainEvent | AuditEntry>(document), sequence: asInteger(sequence) };
}

export function asStoredEvent([sequence, document]: Row): StoredEvent {
  return { ...asDocument<DomainEvent>(document), sequence: asInteger(sequence) };
}
