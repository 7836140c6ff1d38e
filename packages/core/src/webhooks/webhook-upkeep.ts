import { HOUR_MS, type Instant } from "../kernel/clock.js";
import type { WebhookStore } from "./webhook-store.js";

/** Less would remove a delivery before anybody could look at what became of it. */
const MIN_RETENTION_MS = HOUR_MS;

/** How much one commit removes at most, and how many of them one round makes. */
const STEP = 1_000;
const STEPS = 20;

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
  await repeat(() => store.clearReplacedSecrets(now, STEP));
  await repeat(() => store.pruneDeliveries(now - retentionMs, STEP));
}

async function repeat(step: () => Promise<number>): Promise<void> {
  for (let steps = 0; steps < STEPS; steps += 1) {
    if ((await step()) < STEP) return;
  }
}
