import {
  type AuditEntry,
  type DeliveryPlan,
  type DomainEvent,
  type EventQuery,
  type EventStore,
  entryText,
  textsOfPayload,
} from "@budgetkit/core/store";
import { asLedgerEntries, asPlace, asStoredEntries, idToFind, idToWrite, LEDGER_COLUMNS } from "@budgetkit/store-kit";
import { textToFind } from "../engine/arguments.js";
import { allOf, atLeast, atMost, type Condition, equals, pageAndTotal } from "../engine/conditions.js";
import type { Connection, StoreClock } from "../engine/connection.js";
import type { EventRow, PlanRow } from "./event-functions.js";

/** Events of a commit as the functions take them that append them. `clock` decides about their deliveries. */
export function eventRows(
  events: readonly DomainEvent[],
  plan: DeliveryPlan | null,
  clock: StoreClock,
): readonly EventRow[] {
  if (plan === null) return events.map(entryRow);
  return events.map((event) => ({ ...entryRow(event), plan: planRow(event, plan, clock) }));
}

/** Without spreading, which V8 does slowly. An entry of an odd business is harmless: what it commits with is refused. */
function entryRow(entry: DomainEvent | AuditEntry): EventRow {
  const { businessId, id, type, occurredAt, subjectId } = entry;
  return {
    business_id: idToFind(businessId),
    id,
    type,
    occurred_at: occurredAt,
    subject_id: subjectId,
    document: entryText(entry),
  };
}

/** The part of a plan that is about one event: the functions take a plan for each. */
function planRow(event: DomainEvent, { subscribers, plannedAt, deliveries }: DeliveryPlan, clock: StoreClock): PlanRow {
  return {
    subscribers,
    planned_at: plannedAt,
    origin: event.origin === undefined ? null : JSON.stringify(event.origin),
    clock,
    payload: textsOfPayload(event),
    deliveries: deliveries
      .filter(({ eventId }) => eventId === event.id)
      .map(({ id, subscriber, deadlineAt, orderedSubject, lease }) => ({
        id: idToWrite(id),
        subscriber_kind: subscriber.kind,
        subscriber_id: idToWrite(subscriber.id),
        deadline_at: deadlineAt,
        ordered_subject: orderedSubject,
        fencing_token: lease?.token ?? null,
        lease_until: lease?.until ?? null,
      })),
  };
}

/** Audit entries as the functions take them that append them. */
export function auditRows(entries: readonly AuditEntry[]): readonly EventRow[] {
  return entries.map(entryRow);
}

/** The audit entry of a change that is no commit; null = none. */
export function auditOf(entry: AuditEntry | null): readonly EventRow[] {
  return entry === null ? [] : auditRows([entry]);
}

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
