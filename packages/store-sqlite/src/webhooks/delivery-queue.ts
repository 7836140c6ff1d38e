import {
  type Delivery,
  type DeliveryQueue,
  type DueClaim,
  isFinished,
  memoize,
  type Settlement,
} from "@budgetkit/core/store";
import {
  asDelivery,
  asId,
  asInteger,
  asReadableEvents,
  asText,
  idToFind,
  orNull,
  type Row,
} from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";
import { placeholders } from "../engine/statements.js";
import { storageCounter } from "../limits/storage-use.js";
import { deliveryFinisher, deliveryWriter } from "./delivery-moves.js";
import { bytesOfTrail, NEVER, wholeDelivery, withAttempt } from "./delivery-rows.js";
import { noteFinder, turnStarter } from "./delivery-turns.js";
import { dueChooser } from "./due-deliveries.js";
import { firstShares, type SharedList } from "./fair-shares.js";

export function sqliteDispatch(connection: Connection): DeliveryQueue {
  const countEvents = connection.value("SELECT count(*) FROM (SELECT 1 FROM budgetkit_undispatched_events LIMIT ?)");
  const countDue = connection.value(
    `SELECT count(*) FROM (
       SELECT 1 FROM budgetkit_delivery_queue WHERE next_attempt_at <= ? AND due_at <= ? LIMIT ?
     )`,
  );
  const firstWaiting = connection.value(
    `SELECT next_attempt_at FROM budgetkit_delivery_queue
     WHERE next_attempt_at < ${NEVER} AND lease_until IS NULL ORDER BY next_attempt_at LIMIT 1`,
  );
  const firstLeased = connection.value("SELECT min(due_at) FROM budgetkit_delivery_queue WHERE next_attempt_at < ?");
  const isTurnNoted = noteFinder(connection);
  const claim = deliveryClaimer(connection);
  const settle = deliverySettler(connection);

  return {
    findUndispatchedEvents: undispatchedFinder(connection),

    fanOut: eventFanOut(connection),

    // Claims and settlements do not wait for the disk: after a loss of power the call is made once more.
    claimDue: (due) => connection.writeUnsynced(() => claim(due)),

    settle: (settlement) => connection.writeUnsynced(() => (settle(settlement) ? "written" : "lease-lost")),

    countBacklog: (now, atMost) =>
      connection.snapshot(() => ({
        events: asInteger(countEvents(atMost)),
        deliveries: asInteger(countDue(now, now, atMost)),
      })),

    // Those before the first that waits are leased and so few, and those after it are due later.
    nextDueAt: () =>
      connection.snapshot(() => {
        if (isTurnNoted()) return 0;
        const waiting = orNull(firstWaiting(), asInteger);
        const leased = orNull(firstLeased(waiting ?? NEVER), asInteger);
        return leased === null ? waiting : Math.min(leased, waiting ?? leased);
      }),
  };
}

function undispatchedFinder(connection: Connection): DeliveryQueue["findUndispatchedEvents"] {
  // LEFT JOIN keeps an event that is gone, which cannot be read, and fixes the join order.
  const findUndispatched = memoize((without) =>
    connection.rows(
      `SELECT waiting.sequence, events.revision, events.document, waiting.business_id, waiting.position
       FROM budgetkit_undispatched_events AS waiting LEFT JOIN budgetkit_events AS events USING (position)
       WHERE waiting.business_id NOT IN (${without}) ORDER BY waiting.position LIMIT ?`,
    ),
  );
  const waitingEvents = (perBusiness: number): SharedList<Row> => ({
    read: (without, count) => findUndispatched(placeholders(without))(...without.map(idToFind), count),
    businessOf: ([, , , businessId]) => asId(businessId),
    shareOf: () => perBusiness,
  });

  return async (limit, perBusiness = limit, without = [], onUnreadable) => {
    const rows = await connection.snapshot(() =>
      [...firstShares(waitingEvents(perBusiness), limit, without)].sort(
        ([, , , , position], [, , , , other]) => asInteger(position) - asInteger(other),
      ),
    );
    return asReadableEvents(rows, onUnreadable);
  };
}

function eventFanOut(connection: Connection): DeliveryQueue["fanOut"] {
  const markDispatched = connection.command(
    "DELETE FROM budgetkit_undispatched_events WHERE business_id = ? AND sequence = ?",
  );
  const prepareDeliveries = deliveryWriter(connection);
  const count = storageCounter(connection);
  return async (event, deliveries) => {
    const add = prepareDeliveries(deliveries);
    return connection.write(() => {
      const business = idToFind(event.businessId);
      if (markDispatched(business, event.sequence) === 0) return "taken";
      add();
      count(business, { deliveryBytes: add.bytes });
      return "written";
    });
  };
}

/** Leases due deliveries, as part of a transaction. */
function deliveryClaimer(connection: Connection): (claim: DueClaim) => readonly Delivery[] {
  const read = connection.row(
    `SELECT ${wholeDelivery("deliveries")} FROM budgetkit_delivery_queue AS deliveries WHERE business_id = ? AND id = ?`,
  );
  // No RETURNING: its temporary table costs as much as the update.
  const save = connection.command(
    `UPDATE budgetkit_delivery_queue SET attempts = attempts + 1, attempts_in_round = attempts_in_round + 1,
       lease_id = ?, lease_until = ?, updated_at = ?
     WHERE business_id = ? AND id = ?`,
  );
  const startTurns = turnStarter(connection);
  const choose = dueChooser(connection);
  return (claim) => {
    const { lease, now } = claim;
    startTurns(now);
    return choose(claim).flatMap(({ businessId, id }) => {
      const key = [idToFind(businessId), idToFind(id)] as const;
      const row = read(...key);
      if (row === null) return [];
      save(lease.token, lease.until, now, ...key);
      const delivery = asDelivery(row);
      const attempts = delivery.attempts + 1;
      const attemptsSinceRestart = delivery.attemptsSinceRestart + 1;
      return [{ ...delivery, attempts, attemptsSinceRestart, lease, updatedAt: now }];
    });
  };
}

/** Ends an attempt, as part of a transaction. False = the lease is lost. */
function deliverySettler(connection: Connection): (settlement: Settlement) => boolean {
  const leased = connection.row(
    `SELECT attempts, attempts_in_round, response_code, trail, ordered_subject IS NOT NULL FROM budgetkit_delivery_queue
     WHERE business_id = ? AND id = ? AND lease_id = ?`,
  );
  const release = connection.command(
    `UPDATE budgetkit_delivery_queue SET status = ?, next_attempt_at = ?, lease_id = NULL, lease_until = NULL,
       attempts = ?, attempts_in_round = ?, response_code = ?, updated_at = ?, trail = ?
     WHERE business_id = ? AND id = ?`,
  );
  const finish = deliveryFinisher(connection);
  const count = storageCounter(connection);

  return ({ businessId, deliveryId, fencingToken, attempt, refundedAttempts, status, nextAttemptAt, now }) => {
    const [business, id] = [idToFind(businessId), idToFind(deliveryId)];
    const found = leased(business, id, fencingToken);
    if (found === null) return false;
    const refunded = attempt === null ? refundedAttempts : 0;
    const counts = [asInteger(found[0]) - refunded, asInteger(found[1]) - refunded] as const;
    const responseCode = attempt === null ? orNull(found[2], asInteger) : attempt.responseCode;
    const earlier = orNull(found[3], asText);
    const trail = attempt === null ? earlier : withAttempt(earlier, attempt);
    if (isFinished(status)) finish(business, id, found[4] === 1, [status, ...counts, responseCode, now, trail]);
    else release(status, nextAttemptAt, ...counts, responseCode, now, trail, business, id);
    count(business, { deliveryBytes: bytesOfTrail(trail) - bytesOfTrail(earlier) });
    return true;
  };
}
