import { type Delivery, type DeliveryLog, type DeliveryQuery, memoize } from "@budgetkit/core/store";
import {
  asDelivery,
  asId,
  asInteger,
  asText,
  bytesOfBody,
  DELIVERY_BYTES,
  idToFind,
  orNull,
  type Row,
  subscriberToFind,
} from "@budgetkit/store-kit";
import type { Connection, SqlValue } from "../engine/connection.js";
import { auditWriter } from "../events/append-entry.js";
import { storageCounter } from "../limits/storage-use.js";
import { deliveryFinisher, deliveryRestarter } from "./delivery-moves.js";
import { attemptsOf, bytesOfTrail, DELIVERIES, wholeDelivery } from "./delivery-rows.js";

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
        for (const [id, attempts, sinceRestart, code, trail, isOrdered] of found) {
          const kept = [asInteger(attempts), asInteger(sinceRestart), orNull(code, asInteger)] as const;
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
  const pruneLog = connection.rows(
    `DELETE FROM budgetkit_delivery_log WHERE (business_id, id) IN (
       SELECT business_id, id FROM budgetkit_delivery_log WHERE updated_at < ? ORDER BY updated_at LIMIT ?
     ) RETURNING business_id, payload_id, trail`,
  );
  const leavePayload = connection.command("UPDATE budgetkit_payloads SET deliveries = deliveries - ? WHERE id = ?");
  const removePayload = connection.row(
    "DELETE FROM budgetkit_payloads WHERE id = ? AND deliveries = 0 RETURNING head, tail, origin",
  );
  const count = storageCounter(connection);

  return (before, limit) =>
    connection.write(() => {
      const pruned = pruneLog(before, limit);
      const freed = new Map<number, number>(); // bytes by business
      const payloads = new Map<number, { readonly business: number; deliveries: number }>();
      for (const [businessId, payloadId, trail] of pruned) {
        const [business, payload] = [asInteger(businessId), asInteger(payloadId)];
        addTo(freed, business, DELIVERY_BYTES + bytesOfTrail(orNull(trail, asText)));
        const left = payloads.get(payload) ?? { business, deliveries: 0 };
        left.deliveries += 1;
        payloads.set(payload, left);
      }
      for (const [id, { business, deliveries }] of payloads) {
        leavePayload(deliveries, id);
        const removed = removePayload(id);
        if (removed !== null) addTo(freed, business, bytesOfBody(asBody(removed)));
      }
      for (const [business, bytes] of freed) count(business, { deliveryBytes: -bytes });
      return pruned.length;
    });
}

function asBody([head, tail, origin]: Row) {
  return { head: asText(head), tail: orNull(tail, asText), origin: orNull(origin, asText) };
}

function addTo(sums: Map<number, number>, business: number, bytes: number): void {
  sums.set(business, (sums.get(business) ?? 0) + bytes);
}
