import type { DeliveryQueue, DueClaim } from "@budgetkit/core/store";
import {
  asDelivery,
  asInteger,
  asList,
  asReadableEvents,
  idToFind,
  orNull,
  subscriberToFind,
} from "@budgetkit/store-kit";
import type { Connection, StoreClock } from "../commit/connection.js";
import { ADD_DELIVERIES } from "./add-functions.js";
import { deliveryArguments, settlementArgument } from "./delivery-rows.js";
import { SETTLE_DELIVERIES } from "./settle-functions.js";

/**
 * The operations of the dispatcher. The shares of a claim are per process: each process on the database may have that
 * many concurrent calls to a subscriber.
 */
export function postgresDispatch(connection: Connection, clock: StoreClock): DeliveryQueue {
  const add = connection.arrays(ADD_DELIVERIES);
  const settle = connection.arrays(SETTLE_DELIVERIES);
  const findUndispatched = connection.rows(
    "SELECT business_id, sequence FROM unnest(@undispatched_page($1, $2, $3::bigint[])) ORDER BY position",
  );
  const findEvents = connection.lookUp({
    key: { business: "bigint", sequence: "bigint" },
    row: `SELECT sequence, revision, document FROM @events
      WHERE business_id = key.business AND sequence = key.sequence`,
  });
  const countBacklog = connection.value("SELECT @count_backlog($1, $2, $3)");
  const nextDueAt = connection.value("SELECT @next_due_at()");

  return {
    findUndispatchedEvents: async (limit, perBusiness = limit, without = [], onUnreadable) => {
      const waiting = await findUndispatched(limit, perBusiness, without.map(idToFind));
      const found = await Promise.allSettled(
        waiting.map(([business, sequence]) => findEvents([[asInteger(business), asInteger(sequence)]])),
      );
      const rows = found.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
      const failed = found.find((each) => each.status === "rejected");
      if (rows.length === 0 && failed !== undefined) throw failed.reason; // of some businesses: their node is away
      return asReadableEvents(
        rows.map((row) => row ?? []), // null = the event is gone
        onUnreadable,
      );
    },

    fanOut: async ({ businessId, sequence }, deliveries) => {
      const event = [{ business_id: idToFind(businessId), sequence }];
      const isAdded = await add({ event, deliveries: deliveryArguments(deliveries, clock) });
      if (isAdded && deliveries.some(({ lease }) => lease === null)) connection.noteWork();
      return isAdded ? "written" : "taken";
    },

    claimDue: async (claim) =>
      (await connection.callRows("claim_deliveries", JSON.stringify(claimArgument(claim, clock)))).map(asDelivery),

    settle: async (settlement) => {
      const isSettled = await settle({ settlements: [settlementArgument(settlement, clock)] });
      const isRefunded = settlement.attempt === null && settlement.nextAttemptAt !== null;
      if (isSettled && isRefunded) connection.noteWork(); // another process may take it
      return isSettled ? "written" : "lease-lost";
    },

    countBacklog: async (now, atMost) => {
      const [events, deliveries] = asList(await countBacklog(now, atMost, clock));
      return { events: asInteger(events), deliveries: asInteger(deliveries) };
    },

    nextDueAt: async () => orNull(await nextDueAt(), asInteger),
  };
}

/** Calls in flight become the slots that are left; a business or subscriber without calls has all of its slots. */
function claimArgument({ lease, now, limit, perBusiness, perSubscriber, inFlight }: DueClaim, clock: StoreClock) {
  const roomsOfBusinesses: Record<number, number> = {};
  const roomsOfSubscribers: Record<string, number> = {};
  for (const { businessId, subscriber, calls } of inFlight) {
    const key = subscriberToFind(businessId, subscriber);
    roomsOfBusinesses[key[0]] = (roomsOfBusinesses[key[0]] ?? perBusiness) - calls;
    roomsOfSubscribers[key.join(" ")] = Math.max(0, perSubscriber - calls);
  }
  const shares = { perBusiness, perSubscriber, roomsOfBusinesses, roomsOfSubscribers };
  return { fencingToken: lease.token, leaseUntil: lease.until, now, limit, clock, ...shares };
}
