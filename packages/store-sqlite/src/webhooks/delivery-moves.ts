import { type Delivery, type DeliveryStatus, IdTaken, isFinished } from "@budgetkit/core/store";
import { asInteger, bytesOfDeliveries, idToFind, shareBodies } from "@budgetkit/store-kit";
import type { Connection, SqlValue } from "../engine/connection.js";
import { QUEUE_COLUMNS, queueValuesOf } from "./delivery-rows.js";
import { turnNoter } from "./delivery-turns.js";

const LOG_COLUMNS = `business_id, id, subscriber_kind, subscriber_id, event_id, event_type, status, attempts,
  attempts_in_round, deadline_at, response_code, created_at, updated_at, ordered_subject, ordered_sequence, payload_id,
  trail`;

/** What differs in the log from the queue. */
export type FinalState = readonly [
  status: DeliveryStatus,
  attempts: number,
  attemptsSinceRestart: number,
  responseCode: number | null,
  updatedAt: number,
  trail: string | null,
];

/** Moves a delivery from the queue to the log, as part of a transaction; the next of its subject may then begin. */
export function deliveryFinisher(
  connection: Connection,
): (business: number, id: number, isOrdered: boolean, state: FinalState) => void {
  const append = connection.command(
    `INSERT INTO budgetkit_delivery_log (${LOG_COLUMNS})
     SELECT business_id, id, subscriber_kind, subscriber_id, event_id, event_type, ?, ?, ?, deadline_at, ?, created_at,
       ?, ordered_subject, ordered_sequence, payload_id, ?
     FROM budgetkit_delivery_queue WHERE business_id = ? AND id = ?`,
  );
  const remove = connection.command("DELETE FROM budgetkit_delivery_queue WHERE business_id = ? AND id = ?");
  const note = turnNoter(connection);
  return (business, id, isOrdered, state) => {
    if (isOrdered) note(business, id);
    append(...state, business, id);
    remove(business, id);
  };
}

/**
 * Moves a delivery from the log to the queue, as part of a transaction: due at `now`, or to wait for its turn if it is
 * ordered. False = the log does not have it.
 */
export function deliveryRestarter(
  connection: Connection,
): (business: number, id: number, now: number, deadlineAt: number) => boolean {
  const append = connection.command(
    `INSERT INTO budgetkit_delivery_queue (${QUEUE_COLUMNS})
     SELECT business_id, id, subscriber_kind, subscriber_id, event_id, event_type, 'pending', attempts, 0,
       CASE WHEN ordered_subject IS NULL THEN ? END, ?, NULL, NULL, response_code, created_at, ?, ordered_subject,
       ordered_sequence, payload_id, trail
     FROM budgetkit_delivery_log WHERE business_id = ? AND id = ?`,
  );
  const remove = connection.command("DELETE FROM budgetkit_delivery_log WHERE business_id = ? AND id = ?");
  const note = turnNoter(connection);
  return (business, id, now, deadlineAt) => {
    append(now, deadlineAt, now, business, id);
    note(business, id);
    return remove(business, id) > 0;
  };
}

/** Writes deliveries as part of a transaction. */
export interface DeliveryWrite {
  (): void;
  /** What they count for the quota of their business. */
  readonly bytes: number;
}

/** Prepares to add deliveries, before the transaction. Those of an event share its payload. The caller counts the bytes. */
export function deliveryWriter(connection: Connection): (deliveries: readonly Delivery[]) => DeliveryWrite {
  const insertPayload = connection.value(
    "INSERT INTO budgetkit_payloads (deliveries, head, tail, origin) VALUES (?, ?, ?, ?) RETURNING id",
  );
  const insert = connection.command(
    `INSERT INTO budgetkit_delivery_queue (${QUEUE_COLUMNS})
     SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL
     WHERE NOT EXISTS (SELECT 1 FROM budgetkit_delivery_log WHERE business_id = ? AND id = ?)`,
  );
  const finish = deliveryFinisher(connection);
  const note = turnNoter(connection);

  function add(delivery: Delivery, values: readonly SqlValue[], payload: number): void {
    const [business, id] = [idToFind(delivery.businessId), idToFind(delivery.id)];
    if (insert(...values, payload, business, id) === 0) {
      throw new IdTaken(`duplicate delivery ${delivery.id} in business ${delivery.businessId}`);
    }
    const { status, attempts, attemptsSinceRestart, responseCode, updatedAt } = delivery;
    if (delivery.order !== undefined) note(business, id);
    if (!isFinished(status)) return;
    finish(business, id, false, [status, attempts, attemptsSinceRestart, responseCode, updatedAt, null]);
  }

  return (deliveries) => {
    const bodies = shareBodies(deliveries);
    const rows = bodies.map((body) => body.deliveries.map((delivery) => [delivery, queueValuesOf(delivery)] as const));
    const writeAll = () => {
      for (const [index, { deliveries, head, tail, origin }] of bodies.entries()) {
        const payloadId = asInteger(insertPayload(deliveries.length, head, tail, origin));
        for (const [delivery, values] of rows[index] ?? []) add(delivery, values, payloadId);
      }
    };
    return Object.assign(writeAll, { bytes: bytesOfDeliveries(bodies) });
  };
}
