import { type DeliveryCursor, type DeliveryLog, type DeliveryQuery, MAX_LISTED_ATTEMPTS } from "@budgetkit/core/store";
import {
  asAttempt,
  asDelivery,
  asInteger,
  asList,
  asText,
  idToFind,
  orNull,
  subscriberToFind,
} from "@budgetkit/store-kit";
import { allOf, type Condition, equals } from "../commit/conditions.js";
import type { Connection, StoreClock } from "../commit/connection.js";
import { auditWriter } from "../events/append-entries.js";
import { bodyOf, DELIVERY_COLUMNS, ORDER_COLUMNS } from "./delivery-rows.js";

/** Reads, cancels and redelivers deliveries. */
export function postgresDeliveries(connection: Connection, clock: StoreClock): DeliveryLog {
  const find = connection.row(
    `SELECT ${DELIVERY_COLUMNS.join(", ")}, ${bodyOf("deliveries")} FROM @deliveries AS deliveries
     WHERE business_id = $1 AND id = $2`,
  );
  const findTrail = connection.value(
    "SELECT max(trail) FROM @deliveries WHERE business_id = $1 AND id = $2", // null = none
  );

  return {
    cancelDeliveries: async (businessId, subscriber, now, limit) =>
      asInteger(await connection.call("cancel_deliveries", ...subscriberToFind(businessId, subscriber), now, limit)),

    findDelivery: async (businessId, id) => orNull(await find(idToFind(businessId), idToFind(id)), asDelivery),

    listDeliveries: async (businessId, query) => {
      const where = allOf(filtersOf(businessId, query));
      const rows = await connection.planned(listing(where.sql, query), where.values);
      const entries = rows.filter(([, isThere]) => isThere === true).map((row) => asDelivery(row.slice(2)));
      return { entries, total: asInteger(rows[0]?.[0]), nextCursor: null };
    },

    listAttempts: async (businessId, deliveryId) => {
      const key = [idToFind(businessId), idToFind(deliveryId)] as const;
      const attempts = asList(JSON.parse(`[${orNull(await findTrail(...key), asText) ?? ""}]`));
      return attempts.slice(-MAX_LISTED_ATTEMPTS).map((attempt) => asAttempt([...key, ...asList(attempt)]));
    },

    ...redelivery(connection, clock),

    pruneDeliveries: async (before, limit) => asInteger(await connection.call("prune_deliveries", before, limit)),
  };
}

function redelivery(
  connection: Connection,
  clock: StoreClock,
): Pick<DeliveryLog, "redeliver" | "redeliverUndelivered"> {
  const { statements } = connection;
  const restart = statements.value("SELECT @restart_delivery($1, $2, $3, $4, $5)");
  const restartMany = statements.value("SELECT @restart_undelivered($1, $2, $3, $4, $5, $6, $7, $8, $9)");
  const prepareAudit = auditWriter(statements);

  return {
    redeliver: async (businessId, id, now, deadlineAt, audit = null) => {
      const inspectAudit = prepareAudit(audit);
      const isRestarted = await connection.write(idToFind(businessId), "all", async (open) => {
        const appendAudit = await inspectAudit(open);
        if ((await restart(open, idToFind(id), now, deadlineAt, clock)) !== true) return false;
        appendAudit();
        return true;
      });
      if (isRestarted) connection.noteWork();
      return isRestarted;
    },

    redeliverUndelivered: async (businessId, { subscriber, after, now, deadlineAt, limit, audit = null }) => {
      const [business, kind, id] = subscriberToFind(businessId, subscriber);
      const inspectAudit = prepareAudit(audit);
      const places = await connection.write(business, "all", async (open) => {
        const appendAudit = await inspectAudit(open);
        const of = [kind, id, after.createdAt, idToFind(after.id), now, deadlineAt, limit, clock] as const;
        const restarted = asList(await restartMany(open, ...of)).map(asPlace);
        if (restarted.length > 0) appendAudit();
        return restarted;
      });
      if (places.length > 0) connection.noteWork();
      return places;
    },
  };
}

/** A page and the number of all deliveries, in one statement. The bodies of skipped deliveries are not read. */
function listing(where: string, { limit, offset }: DeliveryQuery): string {
  const columns = DELIVERY_COLUMNS.map((column) => `page.${column}`).join(", ");
  return `SELECT total.n, page.is_there, ${columns}, ${bodyOf("page")}
    FROM (SELECT count(*) AS n FROM @deliveries WHERE ${where}) AS total
    LEFT JOIN LATERAL (
      SELECT true AS is_there, ${[...DELIVERY_COLUMNS, ...ORDER_COLUMNS, "body_id"].join(", ")} FROM @deliveries WHERE ${where}
      ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}
    ) AS page ON true
    ORDER BY page.created_at DESC, page.id DESC`;
}

function filtersOf(businessId: string, { subscriber, status, eventType }: DeliveryQuery): Condition[] {
  const [business, kind, id] = subscriberToFind(businessId, subscriber ?? { kind: "endpoint", id: "" });
  return [
    equals("business_id", business),
    ...(subscriber === null ? [] : [equals("subscriber_kind", kind), equals("subscriber_id", id)]),
    ...(status === null ? [] : [equals("status", status)]),
    ...(eventType === null ? [] : [equals("event_type", eventType)]),
  ];
}

function asPlace(place: unknown): DeliveryCursor {
  const [createdAt, id] = asList(place);
  return { createdAt: asInteger(createdAt), id: String(asInteger(id)) };
}
