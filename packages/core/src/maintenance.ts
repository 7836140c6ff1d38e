import type { AccessStore } from "./access/access-store.js";
import { ENDED_SESSION_KEPT_MS } from "./access/login/session.js";
import type { AttachmentContext } from "./attachments/attachment-context.js";
import { createBlobSweep } from "./attachments/sweep-blobs.js";
import type { BudgetContext } from "./budgets/budget-context.js";
import { sweepOverdue } from "./budgets/lifecycle/expire-budgets.js";
import type { PendingEvents } from "./events/pending-events.js";
import type { IdempotencyStore } from "./idempotency/idempotency-store.js";
import type { Clock } from "./kernel/clock.js";
import { inBoundedSteps } from "./kernel/in-bounded-steps.js";
import type { FaultyLedgers, RetentionContext } from "./ledger/prune-ledgers.js";
import type { RateLimitStore } from "./limits/rate-limit-store.js";
import type { Store } from "./store.js";
import type { UsageContext } from "./usage/statistics.js";
import { maintainUsage } from "./usage/usage-maintenance.js";
import { maintainWebhooks, type WebhookMaintenanceContext } from "./webhooks/dispatch/webhook-maintenance.js";

const INTERVAL_MS = 5_000;

export interface MaintenanceContext {
  readonly budgets: BudgetContext;
  readonly sessions: Pick<AccessStore, "pruneSessions">;
  readonly upkeep: Pick<Store, "indexTexts" | "shrinkFiles">;
  readonly pendingEvents: PendingEvents;
  readonly idempotency: IdempotencyStore;
  readonly limits: RateLimitStore;
  readonly webhooks: WebhookMaintenanceContext;
  readonly usage: Pick<UsageContext, "recorder" | "store">;
  readonly attachments: AttachmentContext;
  readonly ledger: RetentionContext;
  readonly clock: Clock;
  readonly agree: () => Promise<void>; // on the time
  readonly onError: (error: unknown) => void;
}

/**
 * The background work of a service: expires overdue budgets; removes lapsed idempotency keys, idle windows, ended
 * sessions, old deliveries and events, replaced secrets and files of interrupted uploads; writes counted requests; calls
 * event handlers for committed transactions of the host; has the store take new texts into its search index.
 */
export function createMaintenance(context: MaintenanceContext) {
  const {
    budgets,
    sessions,
    upkeep,
    pendingEvents,
    idempotency,
    limits,
    webhooks,
    usage,
    attachments,
    ledger,
    clock,
    agree,
    onError,
  } = context;
  const faulty: FaultyLedgers = { reported: new Set(), held: new Set(), restUntilMs: 0 };
  const sweepBlobs = createBlobSweep(attachments);
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();

  async function tick(): Promise<void> {
    await agree().catch(onError);
    const now = clock.now();
    await allOf([
      () => maintainUsage(usage, now),
      () => sweepOverdue(budgets, now),
      () => pendingEvents.release(),
      () => inBoundedSteps((limit) => idempotency.pruneClaims(now, limit)),
      () => inBoundedSteps((limit) => limits.pruneWindows(now, limit)),
      () => inBoundedSteps((limit) => sessions.pruneSessions(now - ENDED_SESSION_KEPT_MS, limit)),
      () => maintainWebhooks(webhooks, now),
      async () => (await import("./ledger/prune-ledgers.js")).pruneLedgers(ledger, now - webhooks.retentionMs, faulty),
      () => inBoundedSteps((limit) => attachments.store.pruneUploads(now, limit)),
      () => sweepBlobs(now),
      () => inBoundedSteps(async (limit) => (await upkeep.indexTexts?.(limit)) ?? 0),
      async () => upkeep.shrinkFiles?.(),
    ]);
  }

  return {
    tick,
    start: () => {
      if (timer !== null) return;
      timer = setInterval(() => {
        running = running.then(tick).catch(onError);
      }, INTERVAL_MS);
      timer.unref();
    },
    stop: async () => {
      if (timer !== null) clearInterval(timer);
      timer = null;
      await running;
    },
  };
}

/** Runs the steps one after the other. A failed step does not stop the others; the failures are thrown at the end. */
async function allOf(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => errors.push(error));
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, "several maintenance steps failed");
}
