import {
  asDelivery,
  asId,
  asInteger,
  asStoredEvents,
  asText,
  type Delivery,
  type DueClaim,
  idToFind,
  memoize,
  orNull,
  type Row,
  type Settlement,
  subscriberToFind,
  type WebhookStore,
} from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";
import { queueKeeper } from "./delivery-queues.js";
import {
  ATTEMPT_COLUMNS,
  attemptValuesOf,
  bodyValuesOf,
  DELIVERY_COLUMNS,
  deliveryValuesOf,
  RETURNING_DELIVERIES,
  UNFINISHED,
} from "./delivery-rows.js";
import { dueChooser } from "./due-deliveries.js";
import { firstShares, placeholders, type SharedList } from "./fair-shares.js";

type DispatchMethods =
  | "findUndispatchedEvents"
  | "fanOut"
  | "insertDelivery"
  | "claimDue"
  | "settle"
  | "countBacklog"
  | "nextDueAt";

export function sqliteDispatch(connection: Connection): Pick<WebhookStore, DispatchMethods> {
  // CROSS JOIN fixes the join order: the waiting rows first, then their events.
  const findUndispatched = memoize((without) =>
    connection.rows(
      `SELECT waiting.sequence, events.document, waiting.business_id, waiting.position
       FROM budgetkit_undispatched_events AS waiting CROSS JOIN budgetkit_events AS events USING (position)
       WHERE waiting.business_id NOT IN (${without}) ORDER BY waiting.position LIMIT ?`,
    ),
  );
  const markDispatched = connection.command(
    "DELETE FROM budgetkit_undispatched_events WHERE business_id = ? AND sequence = ?",
  );
  const waitingEvents = (perBusiness: number): SharedList<Row> => ({
    read: (without, count) => findUndispatched(placeholders(without))(...without.map(idToFind), count),
    businessOf: ([, , businessId]) => asId(businessId),
    shareOf: () => perBusiness,
  });
  const countEvents = connection.value("SELECT count(*) FROM (SELECT 1 FROM budgetkit_undispatched_events LIMIT ?)");
  const countDue = connection.value(
    `SELECT count(*) FROM (SELECT 1 FROM budgetkit_deliveries WHERE ${UNFINISHED} AND due_at <= ? LIMIT ?)`,
  );
  const firstDue = connection.value("SELECT min(due_at) FROM budgetkit_delivery_queues");
  const prepareDeliveries = deliveryWriter(connection);
  const claim = deliveryClaimer(connection);
  const settle = deliverySettler(connection);

  return {
    findUndispatchedEvents: async (limit, perBusiness = limit) => {
      const rows = await connection.snapshot(() =>
        [...firstShares(waitingEvents(perBusiness), limit)].sort(
          ([, , , position], [, , , other]) => asInteger(position) - asInteger(other),
        ),
      );
      return asStoredEvents(rows);
    },

    fanOut: async (event, deliveries) => {
      const add = prepareDeliveries(deliveries);
      return connection.write(() => {
        if (markDispatched(idToFind(event.businessId), event.sequence) === 0) return "taken";
        add();
        return "written";
      });
    },

    insertDelivery: async (delivery) => connection.write(prepareDeliveries([delivery])),

    // Claims and settlements do not wait for the disk: after a loss of power the call is made once more.
    claimDue: (due) => connection.writeUnsynced(() => claim(due)),

    settle: async (settlement) => {
      const write = settle(settlement);
      return connection.writeUnsynced(() => (write() ? "written" : "lease-lost"));
    },

    countBacklog: (now, atMost) =>
      connection.snapshot(() => ({
        events: asInteger(countEvents(atMost)),
        deliveries: asInteger(countDue(now, atMost)),
      })),

    nextDueAt: () => connection.read(() => orNull(firstDue(), asInteger)),
  };
}

/** Adds deliveries, as part of a transaction. Encoding happens before the transaction. */
function deliveryWriter(connection: Connection): (deliveries: readonly Delivery[]) => () => void {
  const insert = connection.command(
    `INSERT INTO budgetkit_deliveries (${DELIVERY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertBody = connection.command(
    "INSERT INTO budgetkit_delivery_bodies (business_id, delivery_id, body, origin) VALUES (?, ?, ?, ?)",
  );
  const keepQueue = queueKeeper(connection);
  return (deliveries) => {
    const rows = deliveries.map((delivery) => ({
      values: deliveryValuesOf(delivery),
      bodyValues: bodyValuesOf(delivery),
      subscriber: subscriberToFind(delivery.businessId, delivery.subscriber),
    }));
    return () => {
      for (const { values, bodyValues, subscriber } of rows) {
        insert(...values);
        insertBody(...bodyValues);
        keepQueue(subscriber);
      }
    };
  };
}

/** Leases due deliveries, as part of a transaction. */
function deliveryClaimer(connection: Connection): (claim: DueClaim) => readonly Delivery[] {
  const lease = connection.rows(
    `UPDATE budgetkit_deliveries SET attempts = attempts + 1, attempts_in_round = attempts_in_round + 1,
       lease_id = ?, lease_until = ?, updated_at = ?
     WHERE business_id = ? AND id = ? ${RETURNING_DELIVERIES}`,
  );
  const keepQueue = queueKeeper(connection);
  const choose = dueChooser(connection);
  return (claim) => {
    const chosen = choose(claim);
    const { token, until } = claim.lease;
    const rows = chosen.flatMap(({ businessId, id }) =>
      lease(token, until, claim.now, idToFind(businessId), idToFind(id)),
    );
    const subscribers = new Set(chosen.map(({ subscriber }) => subscriber)); // one object for each subscriber
    for (const { businessId, subscriber } of chosen) {
      if (subscribers.delete(subscriber)) keepQueue(subscriberToFind(businessId, subscriber));
    }
    return rows.map(asDelivery);
  };
}

const UNDER_LEASE = "WHERE business_id = ? AND id = ? AND lease_id = ? RETURNING subscriber_kind, subscriber_id";
const SETTLE = `UPDATE budgetkit_deliveries
  SET status = ?, next_attempt_at = ?, lease_id = NULL, lease_until = NULL, updated_at = ?`;

/** Ends an attempt, as part of a transaction. False = the lease is lost. */
function deliverySettler(connection: Connection): (settlement: Settlement) => () => boolean {
  const record = connection.row(`${SETTLE}, response_code = ? ${UNDER_LEASE}`);
  const refund = connection.row(
    `${SETTLE}, attempts = attempts - ?, attempts_in_round = attempts_in_round - ? ${UNDER_LEASE}`,
  );
  const insertAttempt = connection.command(
    `INSERT INTO budgetkit_attempts (${ATTEMPT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const keepQueue = queueKeeper(connection);

  return ({ businessId, deliveryId, fencingToken, attempt, refundedAttempts, status, nextAttemptAt, now }) => {
    const business = idToFind(businessId);
    const held = [business, idToFind(deliveryId), fencingToken] as const;
    const requeue = (subscriber: Row | null): boolean => {
      if (subscriber === null) return false;
      keepQueue([business, asText(subscriber[0]), asInteger(subscriber[1])]);
      return true;
    };
    if (attempt === null)
      return () => requeue(refund(status, nextAttemptAt, now, refundedAttempts, refundedAttempts, ...held));
    const attemptValues = attemptValuesOf(attempt);
    return () => {
      if (!requeue(record(status, nextAttemptAt, now, attempt.responseCode, ...held))) return false;
      insertAttempt(...attemptValues);
      return true;
    };
  };
}
