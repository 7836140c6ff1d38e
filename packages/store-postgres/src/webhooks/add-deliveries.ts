import { type Delivery, IdTaken, isFinished } from "@budgetkit/core/store";
import { asInteger, idToWrite, type SharedBody } from "@budgetkit/store-kit";
import type { StoreClock } from "../commit/connection.js";
import type { SqlValue } from "../engine/session.js";
import type { Statements } from "../engine/statements.js";
import type { Transaction } from "../engine/transaction.js";
import { STORED_TYPES } from "./delivery-rows.js";

/** Adds deliveries to the queue and to the log of a business. */
export interface DeliveryAdder {
  /**
   * Throws IdTaken when a stored delivery has one of the ids; the queue itself refuses those that it has. Returns the time of
   * the database.
   */
  refuseTaken(transaction: Transaction, waiting: readonly string[], ended?: readonly string[]): Promise<number>;
  add(transaction: Transaction, bodies: readonly SharedBody[], databaseNow: number): void;
}

/** Times that decide about deliveries are stored by the clock that decides. */
export function deliveryAdder(statements: Statements, clock: StoreClock): DeliveryAdder {
  const addBody = statements.insert("@delivery_bodies", {
    id: "bigint",
    head: "text",
    tail: "text",
    origin: "text",
    deliveries: "integer",
  });
  const { business_id: _, ...columns } = STORED_TYPES;
  const queue = statements.insert("@delivery_queue", columns);
  const log = statements.insert("@delivery_log", columns);
  const noteTurn = statements.insert("@delivery_turns", {
    subscriber_kind: "text",
    subscriber_id: "bigint",
    ordered_subject: "text",
  });
  const findTaken = statements.row(
    `SELECT (${oneOf("@delivery_log", "$2")} UNION ALL ${oneOf("@delivery_queue", "$3")} LIMIT 1), @database_now()`,
  );

  function addOne(transaction: Transaction, delivery: Delivery, bodyId: number, databaseNow: number): void {
    const add = isFinished(delivery.status) ? log : queue;
    const shift = clock === "database" ? databaseNow - delivery.updatedAt : 0;
    add(transaction, ...valuesOf(delivery, shift), null, bodyId);
    const { subscriber, order } = delivery;
    if (order) noteTurn(transaction, subscriber.kind, idToWrite(subscriber.id), order.subject);
  }

  return {
    refuseTaken: async (transaction, waiting, ended = []) => {
      if (waiting.length + ended.length === 0) return 0; // none is added
      const [taken, now] = (await findTaken(transaction, waiting.map(idToWrite), ended.map(idToWrite))) ?? [];
      if (taken !== null) throw new IdTaken(`duplicate delivery ${taken} in business ${transaction.business}`);
      return asInteger(now);
    },

    add: (transaction, bodies, databaseNow) => {
      for (const { deliveries, head, tail, origin } of bodies) {
        const bodyId = idToWrite(deliveries[0].id);
        addBody(transaction, bodyId, head, tail, origin, deliveries.length);
        for (const delivery of deliveries) addOne(transaction, delivery, bodyId, databaseNow);
      }
    },
  };
}

/**
 * Looks up the ids one by one: a plan for all at once that was made while the table was empty reads every delivery of the
 * business.
 */
function oneOf(table: string, ids: string): string {
  return `SELECT stored.id FROM unnest(${ids}::bigint[]) AS given (id) CROSS JOIN LATERAL (
      SELECT id FROM ${table} WHERE business_id = $1 AND id = given.id LIMIT 1
    ) AS stored`;
}

/** In the order of the columns of a delivery, without its business, its trail and its body. */
function valuesOf(delivery: Delivery, shift: number): SqlValue[] {
  const { subscriber, lease, order } = delivery;
  const shifted = (at: number | null) => (at === null ? null : at + shift);
  return [
    idToWrite(delivery.id),
    subscriber.kind,
    idToWrite(subscriber.id),
    delivery.eventId,
    delivery.eventType,
    delivery.status,
    delivery.attempts,
    delivery.attemptsSinceRestart,
    shifted(delivery.nextAttemptAt),
    delivery.deadlineAt,
    lease?.token ?? null,
    shifted(lease?.until ?? null),
    delivery.responseCode,
    delivery.createdAt,
    delivery.updatedAt,
    order?.subject ?? null,
    order?.sequence ?? null,
  ];
}

/** The ids of deliveries as {@link DeliveryAdder.refuseTaken} takes them. Throws a RangeError for a text that is no id. */
export function idsToRefuse(deliveries: readonly Delivery[]): [waiting: readonly string[], ended: readonly string[]] {
  for (const { businessId, id, subscriber } of deliveries) [businessId, id, subscriber.id].forEach(idToWrite);
  const idsOf = (isEnded: boolean) =>
    deliveries.filter(({ status }) => isFinished(status) === isEnded).map(({ id }) => id);
  return [idsOf(false), idsOf(true)];
}
