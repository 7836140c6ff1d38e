import type { Subscriber } from "../../events/event.js";
import type { Instant } from "../../kernel/clock.js";
import type { DeliveryCursor, DeliveryLog, Redelivery } from "../webhook-store.js";

/** Deliveries per transaction, so that a large backlog does not block other writers for long. */
const STEP = 1_000;

/**
 * Cancels all waiting deliveries of a subscriber that stopped receiving them. After a crash the dispatcher cancels the
 * remaining ones when they are due.
 */
export async function cancelWaiting(
  store: Pick<DeliveryLog, "cancelDeliveries">,
  businessId: string,
  subscriber: Subscriber,
  now: Instant,
): Promise<void> {
  let cancelled = STEP;
  while (cancelled === STEP) cancelled = await store.cancelDeliveries(businessId, subscriber, now, STEP);
}

/**
 * Redelivers all failed and cancelled deliveries created at `since` or later, and returns their number. Calls `onStep`
 * after every commit. A delivery that fails again in the meantime is not redelivered twice. The audit entry commits with
 * the first step.
 */
export async function redeliverInSteps(
  store: Pick<DeliveryLog, "redeliverUndelivered">,
  businessId: string,
  { since, audit = null, ...redelivery }: RedeliverySince,
  onStep: () => void,
): Promise<number> {
  let redelivered = 0;
  let after: DeliveryCursor | undefined = { createdAt: since, id: BEFORE_FIRST_ID };
  while (after !== undefined) {
    const entry = redelivered === 0 ? audit : null;
    const cursors = await store.redeliverUndelivered(businessId, { ...redelivery, after, limit: STEP, audit: entry });
    redelivered += cursors.length;
    after = cursors.length < STEP ? undefined : cursors.at(-1);
    onStep();
  }
  return redelivered;
}

type RedeliverySince = Pick<Redelivery, "subscriber" | "now" | "deadlineAt" | "audit"> & { readonly since: Instant };

/** Ids begin at 1. */
const BEFORE_FIRST_ID = "0";
