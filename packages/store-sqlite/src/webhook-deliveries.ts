import type { DeliveryPlace, DeliveryQuery, WebhookStore } from "@budgetkit/core/store";
import type { Connection, SqlValue } from "./connection.js";
import { queueKeeper } from "./delivery-queues.js";
import {
  ATTEMPT_COLUMNS,
  asAttempt,
  asDelivery,
  FINISHED,
  SELECT_DELIVERIES,
  subscriberToFind,
  UNDELIVERED,
  UNFINISHED,
} from "./delivery-rows.js";
import { idToFind } from "./ids.js";
import { remembered } from "./remembered.js";
import { asInteger, asText, orNull, type Row } from "./rows.js";

const LISTED_ATTEMPTS = 100;

const OF_SUBSCRIBER = "business_id = ? AND subscriber_kind = ? AND subscriber_id = ?";

const RESTART = `UPDATE budgetkit_deliveries SET status = 'pending', attempts_in_round = 0, next_attempt_at = ?,
  deadline_at = ?, lease_id = NULL, lease_until = NULL, updated_at = ?`;

type DeliveryMethods =
  | "cancelDeliveries"
  | "findDelivery"
  | "listDeliveries"
  | "listAttempts"
  | "restartDelivery"
  | "restartUndelivered";

/** What people see of deliveries and do with them. */
export function sqliteDeliveries(connection: Connection): Pick<WebhookStore, DeliveryMethods> {
  const find = connection.row(`${SELECT_DELIVERIES} WHERE business_id = ? AND id = ?`);
  const countOf = remembered((where) => connection.value(`SELECT count(*) FROM budgetkit_deliveries WHERE ${where}`));
  const pageOf = remembered((where) =>
    connection.rows(`${SELECT_DELIVERIES} WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`),
  );
  const lastAttempts = connection.rows(
    `SELECT ${ATTEMPT_COLUMNS} FROM budgetkit_attempts WHERE business_id = ? AND delivery_id = ?
     ORDER BY number DESC LIMIT ${LISTED_ATTEMPTS}`,
  );
  const restart = connection.row(
    `${RESTART} WHERE business_id = ? AND id = ? AND ${FINISHED} RETURNING subscriber_kind, subscriber_id`,
  );
  const restartUndelivered = connection.rows(
    `${RESTART} WHERE rowid IN (
       SELECT rowid FROM budgetkit_deliveries
       WHERE ${OF_SUBSCRIBER} AND ${UNDELIVERED} AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?
     ) RETURNING created_at, id`,
  );
  // INDEXED BY: the other index of subscribers leads through everything that was ever delivered to this one.
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

    restartDelivery: (businessId, id, now, deadlineAt) =>
      connection.write(() => {
        const business = idToFind(businessId);
        const subscriber = restart(now, deadlineAt, now, business, idToFind(id));
        if (subscriber === null) return false;
        keepQueue([business, asText(subscriber[0]), asInteger(subscriber[1])]);
        return true;
      }),

    restartUndelivered: (businessId, { subscriber, after, now, deadlineAt, limit }) =>
      connection.write(() => {
        const key = subscriberToFind(businessId, subscriber);
        const place = [after.createdAt, idToFind(after.id)] as const;
        const restarted = restartUndelivered(now, deadlineAt, now, ...key, ...place, limit);
        keepQueue(key);
        return restarted.map(asPlace).sort((a, b) => a.createdAt - b.createdAt || Number(a.id) - Number(b.id));
      }),
  };
}

function asPlace([createdAt, id]: Row): DeliveryPlace {
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
