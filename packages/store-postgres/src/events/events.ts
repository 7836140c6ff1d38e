import {
  type AuditEntry,
  asLedgerEntries,
  asPlace,
  asStoredEntries,
  type DeliveryPlan,
  type DomainEvent,
  type EventQuery,
  type EventStore,
  type EventToCommit,
  entryText,
  eventOf,
  idToFind,
  idToWrite,
  LEDGER_COLUMNS,
  textsOfPayload,
} from "@budgetkit/core/store";
import { textToFind } from "../engine/arguments.js";
import type { ReportedPlan } from "../engine/batch-codec.js";
import { allOf, atLeast, atMost, type Condition, equals, pageAndTotal } from "../engine/conditions.js";
import type { Connection } from "../engine/connection.js";
import { EVENT_COMMITS, type EventRow, type PlanRow } from "./event-functions.js";

/** Events as the functions take them that append them. */
export function eventRows({ clock }: Connection, events: readonly EventToCommit[]): EventRow[] {
  return events.map((event) => {
    const { plan } = event;
    return plan === undefined
      ? entryRow(event)
      : { ...entryRow(eventOf(event)), plan: { ...planRow(event, plan), clock } };
  });
}

/** Without spreading, which V8 does slowly. */
function entryRow(entry: DomainEvent | AuditEntry): EventRow {
  const { businessId, id, type, occurredAt, subjectId } = entry;
  return {
    business_id: idToWrite(businessId),
    id,
    type,
    occurred_at: occurredAt,
    subject_id: subjectId,
    document: entryText(entry),
  };
}

/** The plans whose bodies the commit of these events reports. */
export function reportedPlans(events: readonly EventToCommit[]): readonly ReportedPlan[] {
  return events.flatMap(({ businessId, plan }) => {
    if (plan?.onMade === undefined || plan.deliveries.length === 0) return [];
    const ids = plan.deliveries.map(({ id }) => idToWrite(id));
    return [{ business: idToWrite(businessId), ids, onMade: plan.onMade }];
  });
}

function planRow(event: DomainEvent, { subscribers, plannedAt, deliveries }: DeliveryPlan): Omit<PlanRow, "clock"> {
  return {
    subscribers,
    planned_at: plannedAt,
    origin: event.origin === undefined ? null : JSON.stringify(event.origin),
    payload: textsOfPayload(event),
    deliveries: deliveries.map(({ id, subscriber, deadlineAt, orderedSubject, lease }) => ({
      id: idToWrite(id),
      subscriber_kind: subscriber.kind,
      subscriber_id: idToWrite(subscriber.id),
      deadline_at: deadlineAt,
      ordered_subject: orderedSubject,
      lease_id: lease?.token ?? null,
      lease_until: lease?.until ?? null,
    })),
  };
}

/** An audit entry as the functions take it that append it. */
export function auditRow(entry: AuditEntry): EventRow {
  return entryRow(entry);
}

/** The audit entry of a change as the function takes it that commits both; null = none. */
export function auditArgument(entry: AuditEntry | null): EventRow | null {
  return entry === null ? null : auditRow(entry);
}

export function postgresEvents(connection: Connection): EventStore {
  const commit = connection.commits(EVENT_COMMITS);
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

    appendAudit: async (entry) => {
      await commit("append_audit", idToWrite(entry.businessId), auditRow(entry));
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
