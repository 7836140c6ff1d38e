import type { AccessStore } from "../access/access-store.js";
import type { EventStore } from "../events/event-store.js";
import type { Clock } from "../kernel/clock.js";
import type { IdSource } from "../kernel/ids.js";
import type { Random } from "../kernel/random.js";
import type { ServiceSecrets } from "../kernel/secret-box.js";
import type { RateLimitStore } from "../limits/rate-limit-store.js";
import type { Logger } from "../telemetry/logger.js";
import type { WebhookSender } from "./sender.js";
import type { WebhookStore } from "./webhook-store.js";

/** How many calls may be under way at once. */
export interface Concurrency {
  readonly total: number;
  readonly perBusiness: number; // so that slow receivers of one business do not hold up the others'
  readonly perSubscriber: number; // so that one slow receiver does not hold up the others
}

/** What webhooks work with. */
export interface WebhookContext {
  readonly store: WebhookStore & AccessStore & Pick<EventStore, "appendAudit">;
  /** Where the windows of tests are kept; it need not be the store. */
  readonly limits: RateLimitStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdSource;
  readonly secrets: ServiceSecrets;
  readonly sender: WebhookSender;
  /** Lets callbacks go to private addresses: for development. */
  readonly allowPrivateDestinations: boolean;
  /** How long finished deliveries and fanned-out events are kept. */
  readonly retentionMs: number;
  readonly concurrency: Concurrency;
  /** Told of every call of a receiver; null = nobody asked for lines. */
  readonly logger: Logger | null;
  /** Told of failures that no caller waits for. */
  readonly onError: (error: unknown) => void;
  /** Tells the dispatcher that something has fallen due. */
  readonly wake: () => void;
}
