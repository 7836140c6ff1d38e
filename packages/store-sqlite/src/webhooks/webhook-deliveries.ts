import {
  asAttempt,
  asDelivery,
  asInteger,
  asText,
  type DeliveryCursor,
  type DeliveryQuery,
  idToFind,
  MAX_LISTED_ATTEMPTS,
  memoize,
  orNull,
  type Row,
  subscriberToFind,
  type WebhookStore,
} from "@budgetkit/core/store";
import type { Connection, SqlValue } from "../engine/connection.js";
import { storageCounter } from "../limits/storage-use.js";
import { queueKeeper } from "./delivery-queues.js";
import { ATTEMPT_COLUMNS, FINISHED, SELECT_DELIVERIES, UNDELIVERED, UNFINISHED } from "./delivery-rows.js";

const OF_SUBSCRIBER = "business_id = ? AND subscriber_kind = ? AND subscriber_id = ?";

const RESTART = `UPDATE budgetkit_deliveries SET status = 'pending', attempts_in_round = 0, next_attempt_at = ?,
  deadline_at = ?, lease_id = NULL, lease_until = NULL, updated_at = ?`;

type DeliveryMethods =
  | "cancelDeliveries"
  | "findDelivery"
  | "listDeliveries"
  | "listAttempts"
  | "redeliver"
  | "redeliverUndelivered"
  | "pruneDeliveries";

export function sqliteDeliveries(connection: Connection): Pick<WebhookStore, DeliveryMethods> {
  const find = connection.row(`${SELECT_DELIVERIES} WHERE business_id = ? AND id = ?`);
  const countOf = memoize((where) => connection.value(`SELECT count(*) FROM budgetkit_deliveries WHERE ${where}`));
  const pageOf = memoize((where) =>
    connection.rows(`${SELECT_DELIVERIES} WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`),
  );
  const lastAttempts = connection.rows(
    `SELECT ${ATTEMPT_COLUMNS} FROM budgetkit_attempts WHERE business_id = ? AND delivery_id = ?
     ORDER BY number DESC LIMIT ${MAX_LISTED_ATTEMPTS}`,
  );
  const restart = connection.row(
    `${RESTART} WHERE business_id = ? AND id = ? AND ${FINISHED} RETURNING subscriber_kind, subscriber_id`,
  );
  const redeliverUndelivered = connection.rows(
    `${RESTART} WHERE rowid IN (
       SELECT rowid FROM budgetkit_deliveries
       WHERE ${OF_SUBSCRIBER} AND ${UNDELIVERED} AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?
     ) RETURNING created_at, id`,
  );
  // INDEXED BY: the other index of subscribers would read all finished deliveries too.
  const cancel = connection.command(
    `UPDATE budgetkit_deliveries
     SET status = 'cancelled', next_attempt_at = NULL, lease_id = NULL, lease_until = NULL, updated_at = ?
     WHERE rowid IN (
       SELECT rowid FROM budgetkit_deliveries INDEXED BY budgetkit_deliveries_unfinished
       WHERE ${OF_SUBSCRIBER} AND ${UNFINISHED} LIMIT ?
     )`,
  );
  const keepQueue = queueKeeper(connection);

  return {
    cancelDeliveries: (businessId, subscriber, now, limit) =>
      connection.write(() => {
        const key = subscriberToFind(businessId, subscriber);
        const cancelled = cancel(now, ...key, limit);
        keepQueue(key);
        return cancelled;
      }),

    findDelivery: (businessId, id) =>
      connection.read(() => orNull(find(idToFind(businessId), idToFind(id)), asDelivery)),

    listDeliveries: (businessId, query) =>
      connection.snapshot(() => {
        const { where, values } = filtersOf(businessId, query);
        const total = asInteger(countOf(where)(...values));
        const entries = pageOf(where)(...values, query.limit, query.offset).map(asDelivery);
        return { entries, total, nextCursor: null };
      }),

    listAttempts: (businessId, deliveryId) =>
      connection.read(() => lastAttempts(idToFind(businessId), idToFind(deliveryId)).map(asAttempt).reverse()),

    redeliver: (businessId, id, now, deadlineAt) =>
      connection.write(() => {
        const business = idToFind(businessId);
        const subscriber = restart(now, deadlineAt, now, business, idToFind(id));
        if (subscriber === null) return false;
        keepQueue([business, asText(subscriber[0]), asInteger(subscriber[1])]);
        return true;
      }),

    redeliverUndelivered: (businessId, { subscriber, after, now, deadlineAt, limit }) =>
      connection.write(() => {
        const key = subscriberToFind(businessId, subscriber);
        const cursor = [after.createdAt, idToFind(after.id)] as const;
        const restarted = redeliverUndelivered(now, deadlineAt, now, ...key, ...cursor, limit);
        keepQueue(key);
        return restarted.map(asCursor).sort((a, b) => a.createdAt - b.createdAt || Number(a.id) - Number(b.id));
      }),

    pruneDeliveries: deliveryPruner(connection),
  };
}

function asCursor([createdAt, id]: Row): DeliveryCursor {
  return { createdAt: asInteger(createdAt), id: String(asInteger(id)) };
}

function filtersOf(businessId: string, query: DeliveryQuery): { where: string; values: SqlValue[] } {
  const { subscriber, status, eventType } = query;
  const filters: readonly (readonly [sql: string, value: SqlValue])[] = [
    ["business_id = ?", idToFind(businessId)],
    ["subscriber_kind = ?", subscriber === null ? null : subscriber.kind],
    ["subscriber_id = ?", subscriber === null ? null : idToFind(subscriber.id)],
    ["status = ?", status],
    ["event_type = ?", eventType],
  ];
  const given = filters.filter(([, value]) => value !== null);
  return { where: given.map(([sql]) => sql).join(" AND "), values: given.map(([, value]) => value) };
}

/** The order is total, so that each statement selects the same deliveries. */
const OLD_DELIVERIES = `FROM budgetkit_deliveries WHERE ${FINISHED} AND updated_at < ? ORDER BY updated_at, rowid LIMIT ?`;

function deliveryPruner(connection: Connection): WebhookStore["pruneDeliveries"] {
  const pruneAttempts = connection.command(
    `DELETE FROM budgetkit_attempts WHERE (business_id, delivery_id) IN (SELECT business_id, id ${OLD_DELIVERIES})`,
  );
  const pruneBodies = connection.command(
    `DELETE FROM budgetkit_delivery_bodies WHERE (business_id, delivery_id) IN (SELECT business_id, id ${OLD_DELIVERIES})`,
  );
  const pruneDeliveries = connection.command(
    `DELETE FROM budgetkit_deliveries WHERE rowid IN (SELECT rowid ${OLD_DELIVERIES})`,
  );
  const count = storageCounter(connection);
  const pruneEvents = connection.rows(
    `DELETE FROM budgetkit_events WHERE position IN (
       SELECT position FROM budgetkit_events AS events
       WHERE occurred_at < ?
         AND NOT EXISTS (SELECT 1 FROM budgetkit_undispatched_events AS waiting WHERE waiting.position = events.position)
       ORDER BY occurred_at, position LIMIT ?
     ) RETURNING business_id, octet_length(document)`,
  );

  return (before, limit) =>
    connection.write(() => {
      pruneAttempts(before, limit);
      pruneBodies(before, limit);
      const deliveries = pruneDeliveries(before, limit);
      const events = pruneEvents(before, limit);
      for (const [business, bytes] of freedBytes(events)) count(business, { documentBytes: -bytes });
      return deliveries + events.length;
    });
}

/** The bytes of removed events, by business. */
function freedBytes(rows: readonly Row[]): ReadonlyMap<number, number> {
  const freed = new Map<number, number>();
  for (const [id, bytes] of rows) {
    const business = asInteger(id);
    freed.set(business, (freed.get(business) ?? 0) + asInteger(bytes));
  }
  return freed;
}
