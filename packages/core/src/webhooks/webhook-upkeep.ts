import { HOUR_MS, type Instant } from "../kernel/clock.js";
import { inBoundedSteps } from "../kernel/in-bounded-steps.js";
import type { WebhookStore } from "./webhook-store.js";

/** Less would remove a delivery before anybody could look at what became of it. */
const MIN_RETENTION_MS = HOUR_MS;

export interface WebhookUpkeepContext {
  readonly store: Pick<WebhookStore, "pruneDeliveries" | "clearReplacedSecrets">;
  readonly retentionMs: number;
}

/** Throws a RangeError for a retention that is no number of milliseconds, or less than an hour. */
export function checkedRetention(retentionMs: number): number {
  if (Number.isFinite(retentionMs) && retentionMs >= MIN_RETENTION_MS) return retentionMs;
  throw new RangeError(`webhooks.retentionMs must be at least ${MIN_RETENTION_MS} milliseconds: ${retentionMs}`);
}

/**
 * One bounded round of forgetting: deliveries and events that are old enough, and secrets whose grace is over. A round
 * that did not come to the end is followed by the next.
 */
export async function keepUpWebhooks({ store, retentionMs }: WebhookUpkeepContext, now: Instant): Promise<void> {
  await inBoundedSteps((limit) => store.clearReplacedSecrets(now, limit));
  await inBoundedSteps((limit) => store.pruneDeliveries(now - retentionMs, limit));
}
