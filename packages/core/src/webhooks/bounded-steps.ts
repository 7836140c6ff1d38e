import type { Instant } from "../kernel/clock.js";
import type { Subscriber } from "./delivery.js";
import type { DeliveryPlace, Restart, WebhookStore } from "./webhook-store.js";

/** How many deliveries one commit touches at most, so that a backlog of a million holds nobody up for long. */
const STEP = 1_000;

/**
 * Cancels everything that waits for a subscriber that takes no deliveries any more. What a crash leaves over is cancelled
 * when it falls due.
 */
export async function cancelWaiting(
  store: Pick<WebhookStore, "cancelDeliveries">,
  businessId: string,
  subscriber: Subscriber,
  now: Instant,
): Promise<void> {
  let cancelled = STEP;
  while (cancelled === STEP) cancelled = await store.cancelDeliveries(businessId, subscriber, now, STEP);
}

/**
 * Begins everything anew that was made since and that the receiver never had; gives how many. `onStep` is called after
 * every commit. What is anew and fails again meanwhile is not met a second time.
 */
export async function restartSince(
  store: Pick<WebhookStore, "restartUndelivered">,
  businessId: string,
  restart: Pick<Restart, "subscriber" | "now" | "deadlineAt"> & { readonly since: Instant },
  onStep: () => void,
): Promise<number> {
  const { since, ...others } = restart;
  let restarted = 0;
  let after: DeliveryPlace | undefined = { createdAt: since, id: BEFORE_ALL };
  while (after !== undefined) {
    const places = await store.restartUndelivered(businessId, { ...others, after, limit: STEP });
    restarted += places.length;
    after = places.length < STEP ? undefined : places.at(-1);
    onStep();
  }
  return restarted;
}

/** Ids begin at 1. */
const BEFORE_ALL = "0";
