import { type DueClaim, SUBSCRIBER_KINDS } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { type SubscriberKey, subscriberToFind, UNFINISHED } from "./delivery-rows.js";
import { firstShares, placeholders } from "./fair-shares.js";
import { remembered } from "./remembered.js";
import { asInteger, asOneOf, type Row } from "./rows.js";

interface DueDelivery {
  readonly subscriber: SubscriberKey; // the same object for all deliveries of one subscriber
  readonly id: number;
  readonly dueAt: number;
}

/**
 * Chooses what a claim takes. Of so many deliveries none belongs to a subscriber beyond the first so many queues: those
 * are read, a share of each, and nothing of anybody's backlog.
 */
export function dueChooser(connection: Connection): (claim: DueClaim) => readonly DueDelivery[] {
  const dueQueues = remembered((without) =>
    connection.rows(
      `SELECT business_id, subscriber_kind, subscriber_id FROM budgetkit_delivery_queues
       WHERE due_at <= ? AND business_id NOT IN (${without}) ORDER BY due_at LIMIT ?`,
    ),
  );
  const dueOfSubscriber = connection.rows(
    `SELECT id, due_at FROM budgetkit_deliveries
     WHERE business_id = ? AND subscriber_kind = ? AND subscriber_id = ? AND ${UNFINISHED} AND due_at <= ?
     ORDER BY due_at, id LIMIT ?`,
  );

  return (claim) => {
    const { now, limit } = claim;
    const room = roomOf(claim);
    const queues = firstShares<SubscriberKey>(
      {
        read: (without, count) =>
          dueQueues(placeholders(without))(now, ...without, count + room.fullSubscribers)
            .map(asSubscriberKey)
            .filter((subscriber) => room.ofSubscriber(subscriber) > 0)
            .slice(0, count),
        businessOf: ([businessId]) => businessId,
        shareOf: room.ofBusiness,
      },
      limit,
    );
    const taken = new Map<number, number>();
    return queues
      .flatMap((subscriber) =>
        dueOfSubscriber(...subscriber, now, Math.min(limit, room.ofSubscriber(subscriber))).map(
          ([id, dueAt]): DueDelivery => ({ subscriber, id: asInteger(id), dueAt: asInteger(dueAt) }),
        ),
      )
      .sort((a, b) => a.dueAt - b.dueAt || a.id - b.id)
      .filter(({ subscriber: [businessId] }) => {
        const count = (taken.get(businessId) ?? 0) + 1;
        taken.set(businessId, count);
        return count <= room.ofBusiness(businessId);
      })
      .slice(0, limit);
  };
}

/** What a claim may take of whom, after what is under way. */
interface Room {
  readonly fullSubscribers: number;
  ofBusiness(businessId: number): number;
  ofSubscriber(subscriber: SubscriberKey): number;
}

function roomOf({ perBusiness, perSubscriber, underWay }: DueClaim): Room {
  const ofBusiness = new Map<number, number>();
  const ofSubscriber = new Map<string, number>();
  let fullSubscribers = 0;
  for (const { businessId, subscriber, calls } of underWay) {
    const key = subscriberToFind(businessId, subscriber);
    ofBusiness.set(key[0], (ofBusiness.get(key[0]) ?? perBusiness) - calls);
    ofSubscriber.set(key.join(" "), perSubscriber - calls);
    if (calls >= perSubscriber) fullSubscribers += 1;
  }
  return {
    fullSubscribers,
    ofBusiness: (businessId) => Math.max(0, ofBusiness.get(businessId) ?? perBusiness),
    ofSubscriber: (subscriber) => Math.max(0, ofSubscriber.get(subscriber.join(" ")) ?? perSubscriber),
  };
}

function asSubscriberKey([businessId, kind, id]: Row): SubscriberKey {
  return [asInteger(businessId), asOneOf(SUBSCRIBER_KINDS, kind), asInteger(id)];
}
