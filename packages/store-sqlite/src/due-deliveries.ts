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
 * Chooses what a claim takes: whose business has the fewest calls comes first, those that it is given here included, then
 * who is longest due. Of so many deliveries none belongs to a subscriber beyond the first so many queues: those are read,
 * a share of each, and nothing of anybody's backlog.
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

    /** The first queues that are due, of each business no more than its share. */
    const queuesOfOthers = (than: readonly number[], share: number, count: number) =>
      firstShares<SubscriberKey>(
        {
          read: (cut, count) =>
            dueQueues(placeholders([...than, ...cut]))(now, ...than, ...cut, count + room.fullSubscribers)
              .map(asSubscriberKey)
              .filter((subscriber) => room.ofSubscriber(subscriber) > 0)
              .slice(0, count),
          businessOf: ([businessId]) => businessId,
          shareOf: (businessId) => Math.min(share, room.ofBusiness(businessId)),
        },
        count,
      );

    /**
     * If there are fewer businesses without calls than places, all of them are known, and so are those with calls: of each
     * is read what it can be given at most once each without calls has one.
     */
    function dueShares(): { queues: readonly SubscriberKey[]; share: number } {
      const first = queuesOfOthers(room.busyBusinesses, 1, limit);
      if (first.length === limit) return { queues: first, share: 1 };
      const share = limit - first.length + 1;
      const businesses = first.length + room.busyBusinesses.length;
      return { queues: queuesOfOthers(room.fullBusinesses, share, share * businesses), share };
    }

    const { queues, share } = dueShares();
    const taken = new Map<number, number>();
    return queues
      .flatMap((subscriber) =>
        dueOfSubscriber(...subscriber, now, Math.min(share, room.ofSubscriber(subscriber))).map(
          ([id, dueAt]): DueDelivery => ({ subscriber, id: asInteger(id), dueAt: asInteger(dueAt) }),
        ),
      )
      .sort(longestDueFirst)
      .map((delivery) => {
        const [businessId] = delivery.subscriber;
        const place = (taken.get(businessId) ?? 0) + 1;
        taken.set(businessId, place);
        return { delivery, isWithin: place <= room.ofBusiness(businessId), calls: room.callsOf(businessId) + place };
      })
      .filter(({ isWithin }) => isWithin)
      .sort((a, b) => a.calls - b.calls) // those with as many keep their order
      .slice(0, limit)
      .map(({ delivery }) => delivery)
      .sort(longestDueFirst);
  };
}

function longestDueFirst(a: DueDelivery, b: DueDelivery): number {
  return a.dueAt - b.dueAt || a.id - b.id;
}

/** What a claim may take of whom, after what is under way. */
interface Room {
  readonly busyBusinesses: readonly number[]; // with calls under way
  readonly fullBusinesses: readonly number[];
  readonly fullSubscribers: number;
  callsOf(businessId: number): number;
  ofBusiness(businessId: number): number;
  ofSubscriber(subscriber: SubscriberKey): number;
}

function roomOf({ perBusiness, perSubscriber, underWay }: DueClaim): Room {
  const callsOfBusiness = new Map<number, number>();
  const ofSubscriber = new Map<string, number>();
  let fullSubscribers = 0;
  for (const { businessId, subscriber, calls } of underWay) {
    const key = subscriberToFind(businessId, subscriber);
    callsOfBusiness.set(key[0], (callsOfBusiness.get(key[0]) ?? 0) + calls);
    ofSubscriber.set(key.join(" "), perSubscriber - calls);
    if (calls >= perSubscriber) fullSubscribers += 1;
  }
  const busyBusinesses = [...callsOfBusiness.keys()];
  const callsOf = (businessId: number) => callsOfBusiness.get(businessId) ?? 0;
  return {
    busyBusinesses,
    fullBusinesses: busyBusinesses.filter((businessId) => callsOf(businessId) >= perBusiness),
    fullSubscribers,
    callsOf,
    ofBusiness: (businessId) => Math.max(0, perBusiness - callsOf(businessId)),
    ofSubscriber: (subscriber) => Math.max(0, ofSubscriber.get(subscriber.join(" ")) ?? perSubscriber),
  };
}

function asSubscriberKey([businessId, kind, id]: Row): SubscriberKey {
  return [asInteger(businessId), asOneOf(SUBSCRIBER_KINDS, kind), asInteger(id)];
}
