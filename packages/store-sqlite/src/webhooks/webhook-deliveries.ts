import {
  asDelivery,
  asId,
  asInteger,
  asText,
  type Delivery,
  type DeliveryLog,
  type DeliveryQuery,
  idToFind,
  memoize,
  orNull,
  subscriberToFind,
} from "@budgetkit/core/store";
import { deliveryFinisher, deliveryRestarter } from "../deliveries/delivery-moves.js";
import { attemptsOf, DELIVERIES, wholeDelivery } from "../deliveries/delivery-rows.js";
import type { Connection, SqlValue } from "../engine/connection.js";
import { auditWriter } from "../events/events.js";

const OF_SUBSCRIBER = "business_id = ? AND subscriber_kind = ? AND subscriber_id = ?";

export function sqliteDeliveries(connection: Connection): DeliveryLog {
  return {
    ...deliveryReaders(connection),
    ...deliveryChanges(connection),
    pruneDeliveries: deliveryPruner(connection),
  };
}

function deliveryReaders(
  connection: Connection,
): Pick<DeliveryLog, "findDelivery" | "listDeliveries" | "listAttempts"> {
  const findRow = connection.row(
    `SELECT ${wholeDelivery("deliveries")} FROM ${DELIVERIES} AS deliveries WHERE business_id = ? AND id = ?`,
  );
  const countOf = memoize((where) => connection.value(`SELECT sum(n) FROM (${ofBoth("count(*) AS n", where)})`));
  const pageOf = memoize((where) =>
    connection.values(`${ofBoth("id, created_at", where)} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`),
  );
  const trailOf = connection.value(ofBoth("trail", "business_id = ? AND id = ?"));
  const find = (business: number, id: number): Delivery | null => orNull(findRow(business, id), asDelivery);

  return {
    findDelivery: (businessId, id) => connection.read(() => find(idToFind(businessId), idToFind(id))),

    listDeliveries: (businessId, query) =>
      connection.snapshot(() => {
        const { where, values } = filtersOf(businessId, query);
        const total = asInteger(countOf(where)(...values, ...values));
        const ids = pageOf(where)(...values, ...values, query.limit, query.offset);
        const entries = ids.flatMap((id) => find(idToFind(businessId), asInteger(id)) ?? []);
        return { entries, total, nextCursor: null };
      }),

    listAttempts: (businessId, deliveryId) =>
      connection.read(() => {
        const [business, id] = [idToFind(businessId), idToFind(deliveryId)];
        return attemptsOf(business, id, orNull(trailOf(business, id, business, id), asText));
      }),
  };
}

/** Queue and log; the values of `where` are given for each. */
function ofBoth(columns: string, where: string): string {
  return `SELECT ${columns} FROM budgetkit_delivery_queue WHERE ${where}
    UNION ALL SELECT ${columns} FROM budgetkit_delivery_log WHERE ${where}`;
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

function deliveryChanges(
  connection: Connection,
): Pick<DeliveryLog, "cancelDeliveries" | "redeliver" | "redeliverUndelivered"> {
  const waiting = connection.rows(
    `SELECT id, attempts, attempts_in_round, response_code, trail, ordered_subject IS NOT NULL
     FROM budgetkit_delivery_queue
     WHERE ${OF_SUBSCRIBER} ORDER BY next_attempt_at, id LIMIT ?`,
  );
  const undelivered = connection.rows(
    `SELECT created_at, id FROM budgetkit_delivery_log
     WHERE ${OF_SUBSCRIBER} AND (created_at, id) > (?, ?) AND status IN ('failed', 'cancelled') AND event_id IS NOT NULL
     ORDER BY created_at, id LIMIT ?`,
  );
  const finish = deliveryFinisher(connection);
  const restart = deliveryRestarter(connection);
  const writeAudit = auditWriter(connection);

  return {
    cancelDeliveries: (businessId, subscriber, now, limit) =>
      connection.write(() => {
        const found = waiting(...subscriberToFind(businessId, subscriber), limit);
        for (const [id, attempts, inRound, code, trail, isOrdered] of found) {
          const kept = [asInteger(attempts), asInteger(inRound), orNull(code, asInteger)] as const;
          const state = ["cancelled", ...kept, now, orNull(trail, asText)] as const;
          finish(idToFind(businessId), asInteger(id), isOrdered === 1, state);
        }
        return found.length;
      }),

    redeliver: async (businessId, id, now, deadlineAt, audit = null) => {
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        const isRestarted = restart(idToFind(businessId), idToFind(id), now, deadlineAt);
        if (isRestarted) appendAudit();
        return isRestarted;
      });
    },

    redeliverUndelivered: async (businessId, { subscriber, after, now, deadlineAt, limit, audit = null }) => {
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        const key = subscriberToFind(businessId, subscriber);
        const found = undelivered(...key, after.createdAt, idToFind(after.id), limit);
        if (found.length > 0) appendAudit();
        return found.map(([createdAt, id]) => {
          restart(idToFind(businessId), asInteger(id), now, deadlineAt);
          return { createdAt: asInteger(createdAt), id: asId(id) };
        });
      });
    },
  };
}

function deliveryPruner(connection: Connection): DeliveryLog["pruneDeliveries"] {
  const pruneLog = connection.values(
    `DELETE FROM budgetkit_delivery_log WHERE (business_id, id) IN (
       SELECT business_id, id FROM budgetkit_delivery_log WHERE updated_at < ? ORDER BY updated_at LIMIT ?
     ) RETURNING payload_id`,
  );
  const leavePayload = connection.command("UPDATE budgetkit_payloads SET deliveries = deliveries - 1 WHERE id = ?");
  const removePayload = connection.command("DELETE FROM budgetkit_payloads WHERE id = ? AND deliveries = 0");

  return (before, limit) =>
    connection.write(() => {
      const payloads = pruneLog(before, limit).map(asInteger);
      for (const id of payloads) leavePayload(id);
      for (const id of new Set(payloads)) removePayload(id);
      return payloads.length;
    });
}
