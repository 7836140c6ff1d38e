import type { DueClaim, WebhookStore } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { asDelivery, deliveryArgument, settlementArgument, subscriberToFind } from "./delivery-rows.js";
import { asStoredEvent } from "./events.js";
import { idToFind } from "./ids.js";
import { asInteger, asList, asOneOf, orNull } from "./rows.js";
import type { StoreClock } from "./store-clock.js";

type DispatchMethods =
  | "findUndispatchedEvents"
  | "fanOut"
  | "insertDelivery"
  | "claimDue"
  | "settle"
  | "countBacklog"
  | "nextDueAt";

/**
 * What the dispatcher lives on. The shares that a claim keeps to are those of the process that claims, in which what it
 * has under way counts: processes that share a database each give a subscriber as many calls at once as one may have.
 */
export function postgresDispatch(connection: Connection, clock: StoreClock): Pick<WebhookStore, DispatchMethods> {
  const findUndispatched = connection.value("SELECT @find_undispatched($1, $2)");

  const countBacklog = connection.value("SELECT @count_backlog($1, $2, $3)");

  return {
    findUndispatchedEvents: async (limit, perBusiness = limit) =>
      asList(await findUndispatched(limit, perBusiness)).map((row) => asStoredEvent(asList(row))),

    fanOut: async ({ businessId, sequence }, deliveries) => {
      const event = { business_id: idToFind(businessId), sequence };
      const argument = { ...event, deliveries: deliveries.map(deliveryArgument), clock };
      return asOneOf(["written", "taken"], await connection.commit("fan_out", null, argument));
    },

    insertDelivery: async (delivery) => {
      await connection.commit("insert_deliveries", null, { deliveries: [deliveryArgument(delivery)], clock });
    },

    claimDue: async (claim) =>
      asList(await connection.call("claim_due", JSON.stringify(claimArgument(claim, clock)))).map((row) =>
        asDelivery(asList(row)),
      ),

    settle: async (settlement) => {
      const argument = { ...settlementArgument(settlement), clock };
      return asOneOf(["written", "lost"], await connection.commit("settle_deliveries", null, argument));
    },

    countBacklog: async (now, atMost) => {
      const [events, deliveries] = asList(await countBacklog(now, atMost, clock));
      return { events: asInteger(events), deliveries: asInteger(deliveries) };
    },

    nextDueAt: async () => orNull(await connection.call("next_due_at"), asInteger),
  };
}

/** What is under way becomes the room that it leaves; whoever is not named has all of it. */
function claimArgument({ lease, now, limit, perBusiness, perSubscriber, underWay }: DueClaim, clock: StoreClock) {
  const roomsOfBusinesses: Record<number, number> = {};
  const roomsOfSubscribers: Record<string, number> = {};
  for (const { businessId, subscriber, calls } of underWay) {
    const key = subscriberToFind(businessId, subscriber);
    roomsOfBusinesses[key[0]] = (roomsOfBusinesses[key[0]] ?? perBusiness) - calls;
    roomsOfSubscribers[key.join(" ")] = Math.max(0, perSubscriber - calls);
  }
  const { id: leaseId, until: leaseUntil } = lease;
  const shares = { perBusiness, perSubscriber, roomsOfBusinesses, roomsOfSubscribers };
  return { leaseId, leaseUntil, now, limit, clock, ...shares };
}
