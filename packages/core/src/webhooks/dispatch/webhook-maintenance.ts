import { HOUR_MS, type Instant } from "../../kernel/clock.js";
import { inBoundedSteps } from "../../kernel/in-bounded-steps.js";
import type { DeliveryLog, EndpointStore } from "../webhook-store.js";

/** A shorter retention would remove deliveries before users can check their results. */
const MIN_RETENTION_MS = HOUR_MS;

export interface WebhookMaintenanceContext {
  readonly store: Pick<DeliveryLog, "pruneDeliveries"> & Pick<EndpointStore, "clearReplacedSecrets">;
  readonly retentionMs: number;
}

/** Throws a RangeError unless the retention is a number of milliseconds and at least an hour. */
export function checkedRetention(retentionMs: number): number {
  if (Number.isFinite(retentionMs) && retentionMs >= MIN_RETENTION_MS) return retentionMs;
  throw new RangeError(`webhooks.retentionMs must be at least ${MIN_RETENTION_MS} milliseconds: ${retentionMs}`);
}

/**
 * Removes old deliveries and events, and secrets whose grace period is over. Each round is bounded; the next round
 * continues the work.
 */
export async function maintainWebhooks({ store, retentionMs }: WebhookMaintenanceContext, now: Instant): Promise<void> {
  await inBoundedSteps((limit) => store.clearReplacedSecrets(now, limit));
  await inBoundedSteps((limit) => store.pruneDeliveries(now - retentionMs, limit));
}
