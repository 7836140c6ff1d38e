import type { Delivery, DueClaim, Settlement, WebhookStore } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { queueKeeper } from "./delivery-queues.js";
import {
  ATTEMPT_COLUMNS,
  asDelivery,
  attemptValuesOf,
  bodyValuesOf,
  DELIVERY_COLUMNS,
  deliveryValuesOf,
  RETURNING_DELIVERIES,
  subscriberToFind,
  UNFINISHED,
} from "./delivery-rows.js";
import { dueChooser } from "./due-deliveries.js";
import { asStoredEvent } from "./events.js";
import { firstShares, placeholders } from "./fair-shares.js";
import { idToFind } from "./ids.js";
import { remembered } from "./remembered.js";
import { asInteger, asText, orNull, type Row } from "./rows.js";

type DispatchMethods =
  | "findUndispatchedEvents"
  | "fanOut"
  | "insertDelivery"
  | "claimDue"
  | "settle"
  | "countBacklog"
  | "nextDueAt";

/** What the dispatcher lives on. */
export function sqliteDispatch(connection: Connection): Pick<WebhookStore, DispatchMethods> {
  // CROSS JOIN: what waits is read first and its events looked up, never the other way round.
  const findUndispatched = remembered((without) =>
    connection.rows(
      `SELECT events.sequence, events.document, waiting.business_id
       FROM budgetkit_undispatched_events AS waiting CROSS JOIN budgetkit_events AS events USING (sequence)
       WHERE waiting.business_id NOT IN (${without}) ORDER BY waiting.sequence LIMIT ?`,
    ),
  );
  const markDispatched = connection.command(
    "DELETE FROM budgetkit_undispatched_events WHERE sequence = ? AND business_id = ?",
  );
  const countEvents = connection.value("SELECT count(*) FROM (SELECT 1 FROM budgetkit_undispatched_events LIMIT ?)");
  const countDue = connection.value(
    `SELECT count(*) FROM (SELECT 1 FROM budgetkit_deliveries WHERE ${UNFINISHED} AND due_at <= ? LIMIT ?)`,
  );
  const firstDue = connection.value("SELECT min(due_at) FROM budgetkit_delivery_queues");
  const prepareDeliveries = deliveryWriter(connection);
  const claim = deliveryClaimer(connection);
  const settle = deliverySettler(connection);

  return {
    findUndispatchedEvents: (limit, perBusiness = limit) =>
      connection.snapshot(() =>
        firstShares<Row>(
          {
            read: (without, count) => findUndispatched(placeholders(without))(...without, count),
            businessOf: ([, , businessId]) => asInteger(businessId),
            shareOf: () => perBusiness,
          },
          limit,
        )
          .map(asStoredEvent)
          .sort((a, b) => a.sequence - b.sequence),
      ),

    fanOut: async (event, deliveries) => {
      const add = prepareDeliveries(deliveries);
      return connection.write(() => {
        if (markDispatched(event.sequence, idToFind(event.businessId)) === 0) return "taken";
        add();
        return "written";
      });
    },

    insertDelivery: async (delivery) => connection.write(prepareDeliveries([delivery])),

    // Neither claims nor settlements wait for the disk: what a loss of power undoes is a call that is made once more.
    claimDue: (due) => connection.writeUnsynced(() => claim(due)),

    settle: async (settlement) => {
      const write = settle(settlement);
      return connection.writeUnsynced(() => (write() ? "written" : "lost"));
    },

    countBacklog: (now, atMost) =>
      connection.snapshot(() => ({
        events: asInteger(countEvents(atMost)),
        deliveries: asInteger(countDue(now, atMost)),
      })),

    nextDueAt: () => connection.read(() => orNull(firstDue(), asInteger)),
  };
}

/** Adds deliveries, as a part of a transaction. Their encoding happens before, outside of it. */
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

/** Leases what is due, as a part of a transaction. */
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
    const { id: leaseId, until } = claim.lease;
    const rows = chosen.flatMap(({ subscriber, id }) => lease(leaseId, until, claim.now, subscriber[0], id));
    for (const subscriber of new Set(chosen.map((due) => due.subscriber))) keepQueue(subscriber);
    return rows.map(asDelivery);
  };
}

const UNDER_LEASE = "WHERE business_id = ? AND id = ? AND lease_id = ? RETURNING subscriber_kind, subscriber_id";
const SETTLE = `UPDATE budgetkit_deliveries
  SET status = ?, next_attempt_at = ?, lease_id = NULL, lease_until = NULL, updated_at = ?`;

/** Ends an attempt, as a part of a transaction; false when the lease is lost. */
function deliverySettler(connection: Connection): (settlement: Settlement) => () => boolean {
  const record = connection.row(`${SETTLE}, response_code = ? ${UNDER_LEASE}`);
  const takeBack = connection.row(
    `${SETTLE}, attempts = attempts - ?, attempts_in_round = attempts_in_round - ? ${UNDER_LEASE}`,
  );
  const insertAttempt = connection.command(
    `INSERT INTO budgetkit_attempts (${ATTEMPT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const keepQueue = queueKeeper(connection);

  return ({ businessId, deliveryId, leaseId, attempt, takenBack, status, nextAttemptAt, now }) => {
    const business = idToFind(businessId);
    const held = [business, idToFind(deliveryId), leaseId] as const;
    const requeue = (subscriber: Row | null): boolean => {
      if (subscriber === null) return false;
      keepQueue([business, asText(subscriber[0]), asInteger(subscriber[1])]);
      return true;
    };
    if (attempt === null) return () => requeue(takeBack(status, nextAttemptAt, now, takenBack, takenBack, ...held));
    const attemptValues = attemptValuesOf(attempt);
    return () => {
      if (!requeue(record(status, nextAttemptAt, now, attempt.responseCode, ...held))) return false;
      insertAttempt(...attemptValues);
      return true;
    };
  };
}
