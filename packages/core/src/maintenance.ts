import type { AccessStore } from "./access/access-store.js";
import { ENDED_SESSION_KEPT_MS } from "./access/session.js";
import type { AttachmentContext } from "./attachments/attachment-context.js";
import { createBlobSweep } from "./attachments/sweep-blobs.js";
import type { BudgetContext } from "./budgets/budget-context.js";
import { sweepOverdue } from "./budgets/expire-budgets.js";
import type { HeldEvents } from "./events/held-events.js";
import type { ClaimRelease } from "./idempotency/claim-release.js";
import type { IdempotencyStore } from "./idempotency/idempotency-store.js";
import type { Clock } from "./kernel/clock.js";
import { inBoundedSteps } from "./kernel/in-bounded-steps.js";
import type { RateLimitStore } from "./limits/rate-limit-store.js";
import type { UsageContext } from "./usage/usage-context.js";
import { keepUsageUp } from "./usage/usage-upkeep.js";
import { keepUpWebhooks, type WebhookUpkeepContext } from "./webhooks/webhook-upkeep.js";

/** How often the upkeep comes round. */
const INTERVAL_MS = 5_000;

export interface MaintenanceContext {
  readonly budgets: BudgetContext;
  readonly sessions: Pick<AccessStore, "pruneSessions">;
  readonly heldEvents: HeldEvents;
  readonly idempotency: IdempotencyStore;
  readonly claims: ClaimRelease;
  readonly limits: RateLimitStore;
  readonly webhooks: WebhookUpkeepContext;
  readonly usage: Pick<UsageContext, "recorder" | "store">;
  readonly attachments: AttachmentContext;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * What runs beside the requests: overdue budgets expire; lapsed idempotency keys, idle windows, sessions that ended, old
 * deliveries and events, secrets that were replaced, and files that an interrupted upload left behind are forgotten;
 * counted requests are written; handlers hear of what hosts have committed.
 */
export function createMaintenance(context: MaintenanceContext) {
  const { budgets, sessions, heldEvents, idempotency, claims, limits, webhooks, usage, attachments, clock, onError } =
    context;
  const sweepBlobs = createBlobSweep(attachments);
  let timer: NodeJS.Timeout | null = null;
  let underWay: Promise<void> = Promise.resolve();

  async function tick(): Promise<void> {
    const now = clock.now();
    await allOf([
      () => keepUsageUp(usage, now),
      () => sweepOverdue(budgets, now),
      () => heldEvents.release(),
      () => claims.releaseAll(),
      () => inBoundedSteps((limit) => idempotency.pruneClaims(now, limit)),
      () => inBoundedSteps((limit) => limits.pruneWindows(now, limit)),
      () => inBoundedSteps((limit) => sessions.pruneSessions(now - ENDED_SESSION_KEPT_MS, limit)),
      () => keepUpWebhooks(webhooks, now),
      () => inBoundedSteps((limit) => attachments.store.pruneUploads(now, limit)),
      () => sweepBlobs(now),
    ]);
  }

  return {
    tick,
    start: () => {
      if (timer !== null) return;
      timer = setInterval(() => {
        underWay = underWay.then(tick).catch(onError);
      }, INTERVAL_MS);
      timer.unref();
    },
    stop: async () => {
      if (timer !== null) clearInterval(timer);
      timer = null;
      await underWay;
    },
  };
}

/** Takes every step, one after the other: one that fails keeps none of the others from being taken. */
async function allOf(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => errors.push(error));
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, "several steps of the upkeep failed");
}
