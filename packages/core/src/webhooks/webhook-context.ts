import type { AccessStore } from "../access/access-store.js";
import type { MailWrite } from "../budgets/budget-commits.js";
import type { QueuedMail } from "../budgets/notices/notices.js";
import type { RunCommit } from "../commit/run-commit.js";
import type { EventStore } from "../events/event-store.js";
import type { Clock, Instant } from "../kernel/clock.js";
import type { IdSource } from "../kernel/ids.js";
import type { Random } from "../kernel/random.js";
import type { ServiceSecrets } from "../kernel/secret-box.js";
import type { RateLimitStore } from "../limits/rate-limit-store.js";
import type { StorageQuota, StorageStore } from "../limits/storage-quota.js";
import type { Logger } from "../telemetry/logger.js";
import type { WebhookEndpoint } from "./endpoint.js";
import type { EndpointsBelow, WebhookWrite } from "./endpoint-commits.js";
import type { WebhookSender } from "./transport/sender.js";
import type { WebhookStore } from "./webhook-store.js";

/** Limits of concurrent calls of one process. */
export interface Concurrency {
  /** Calls of the process. */
  readonly total: number;
  /** So slow receivers of one business do not delay other businesses. */
  readonly perBusiness: number;
  /** So one slow receiver does not delay the others. */
  readonly perSubscriber: number;
}

/** The record of a budget in the data of a replayed event. */
export type ReplayedBudget = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

export interface WebhookContext {
  readonly store: WebhookStore & AccessStore & StorageStore & Pick<EventStore, "listEvents" | "readLedger">;
  readonly commit: RunCommit<WebhookWrite | MailWrite, EndpointsBelow>;
  readonly quota: StorageQuota;
  /** Stores the rate-limit windows; may be another database than `store`. */
  readonly limits: RateLimitStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdSource;
  readonly secrets: ServiceSecrets;
  readonly sender: WebhookSender;
  /** Allows callbacks to private addresses, for development. */
  readonly allowPrivateDestinations: boolean;
  /** Retention of finished deliveries and of fanned-out events. */
  readonly retentionMs: number;
  readonly concurrency: Concurrency;
  /** Logs every call of a receiver; null = no logger. */
  readonly logger: Logger | null;
  /** A budget as a read answers it, without what depends on the caller; null = deleted or unknown. */
  readonly readBudget: (businessId: string, id: string) => Promise<ReplayedBudget | null>;
  /** The mail to the business about an endpoint that is disabled, for the commit that disables it. Never rejects. */
  readonly tellDisabled: (endpoint: WebhookEndpoint, now: Instant) => Promise<readonly QueuedMail[]>;
  /** Receives failures of background work. */
  readonly onError: (error: unknown) => void;
  /** Wakes the dispatcher: deliveries may be due. */
  readonly wake: () => void;
}
