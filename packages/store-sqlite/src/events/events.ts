import {
  type AuditEntry,
  asDocument,
  asInteger,
  asLedgerEntries,
  asOneOf,
  asPlace,
  asStoredEntries,
  type DeliveryPlan,
  type DomainEvent,
  type EventQuery,
  type EventStore,
  type EventToCommit,
  eventOf,
  idToFind,
  LEDGER_COLUMNS,
  memoize,
  namesOfSubscribers,
  plannedDeliveries,
  type Row,
  type StorageUse,
  SUBSCRIBER_KINDS,
  type SubscriberVersion,
} from "@budgetkit/core/store";
import { deliveryWriter } from "../deliveries/delivery-moves.js";
import type { Connection, SqlValue } from "../engine/connection.js";
import { storageCounter } from "../limits/storage-use.js";
import { type EncodedEntry, encodedEntry, entryAppender } from "./append-entry.js";

/** The index of keys with a webhook is built on exactly these words. */
export const WITH_WEBHOOK = "document ->> 'status' = 'ACTIVE' AND document ->> 'webhookUrl' IS NOT NULL";

/** An event of a business without subscribers does not wait: the transaction sees every subscriber that came before it. */
const HAS_SUBSCRIBER = `SELECT
  EXISTS (SELECT 1 FROM budgetkit_endpoints WHERE business_id = given.business AND status = 'ACTIVE')
  OR EXISTS (
    SELECT 1 FROM budgetkit_keys INDEXED BY budgetkit_keys_with_webhook
    WHERE business_id = given.business AND ${WITH_WEBHOOK}
  )
  FROM (SELECT ? AS business) AS given`;

const SUBSCRIBERS = `SELECT 'endpoint', id, version FROM budgetkit_endpoints WHERE business_id = ? AND status = 'ACTIVE'
  UNION ALL
  SELECT 'key', id, version FROM budgetkit_keys INDEXED BY budgetkit_keys_with_webhook
  WHERE business_id = ? AND ${WITH_WEBHOOK}`;

const MARK_UNDISPATCHED =
  "INSERT INTO budgetkit_undispatched_events (position, business_id, sequence) VALUES (last_insert_rowid(), ?, ?)";

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
 * Writes the events of a change in its transaction, with the deliveries that are planned; the others wait there for their
 * fan-out. Events are encoded before the transaction, bodies within it: they name the place.
 */
export function outboxWriter(connection: Connection): (events: readonly EventToCommit[]) => OutboxWrite {
  const count = storageCounter(connection);
  const append = entryAppender(connection);
  const hasSubscriber = connection.value(HAS_SUBSCRIBER);
  const subscribersOf = connection.rows(SUBSCRIBERS);
  const markUndispatched = connection.command(MARK_UNDISPATCHED);
  const prepareDeliveries = deliveryWriter(connection);
  const isPlanFor = (business: number, { subscribers }: DeliveryPlan) =>
    subscribers === namesOfSubscribers(subscribersOf(business, business).map(asSubscriberVersion));

  /** Returns what the deliveries count for the quota. */
  function write(encoded: EncodedEntry, plan: DeliveryPlan | undefined): number {
    const { business, text } = encoded;
    const place = append(encoded);
    if (plan !== undefined && isPlanFor(business, plan)) {
      const addDeliveries = prepareDeliveries(plannedDeliveries({ ...asDocument<DomainEvent>(text), ...place }, plan));
      addDeliveries();
      return addDeliveries.bytes;
    }
    if (hasSubscriber(business) === 1) markUndispatched(business, place.sequence);
    return 0;
  }

  return (events) => {
    const entries = events.map((event) => encodedEntry(event.plan === undefined ? event : eventOf(event)));
    const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    const writeAll: (...given: Parameters<OutboxWrite>) => void = (counted) => {
      let deliveryBytes = 0;
      for (const [index, entry] of entries.entries()) deliveryBytes += write(entry, events[index]?.plan);
      const business = counted?.business ?? entries[0]?.business; // the events of a change are of one business
      if (business === undefined) return;
      count(business, { ...counted, documentBytes: (counted?.documentBytes ?? 0) + bytes, deliveryBytes });
    };
    return Object.assign(writeAll, { bytes });
  };
}

function asSubscriberVersion([kind, id, version]: Row): SubscriberVersion {
  return { kind: asOneOf(SUBSCRIBER_KINDS, kind), id: asInteger(id), version: asInteger(version) };
}

/** Writes the audit entry of a change in its transaction; null = none. Encoding happens before the transaction. */
export function auditWriter(connection: Connection): (entry: AuditEntry | null) => () => void {
  const count = storageCounter(connection);
  const append = entryAppender(connection);
  return (entry) => {
    if (entry === null) return () => {};
    const encoded = encodedEntry(entry);
    return () => {
      append(encoded);
      count(encoded.business, { documentBytes: encoded.bytes });
    };
  };
}

/** Writes the events and the audit entry of a change in its transaction. Encoding happens before the transaction. */
export function entriesWriter(
  connection: Connection,
): (events: readonly EventToCommit[], audit: AuditEntry | null) => () => void {
  const prepareEvents = outboxWriter(connection);
  const prepareAudit = auditWriter(connection);
  return (events, audit) => {
    const appendEvents = prepareEvents(events);
    const appendAudit = prepareAudit(audit);
    return () => {
      appendEvents();
      appendAudit();
    };
  };
}

/** Audit entries are rows among the events. They are never marked as undispatched, so they are not delivered. */
export function sqliteEvents(connection: Connection): EventStore {
  const writeAudit = auditWriter(connection);
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

    appendAudit: async (entry) => connection.write(writeAudit(entry)),
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
