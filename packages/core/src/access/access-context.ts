import type { EventStore } from "../events/event-store.js";
import type { Clock } from "../kernel/clock.js";
import type { IdSource } from "../kernel/ids.js";
import type { Random } from "../kernel/random.js";
import type { ServiceSecrets } from "../kernel/secret-box.js";
import type { RateLimitStore } from "../limits/rate-limit-store.js";
import type { WebhookStore } from "../webhooks/webhook-store.js";
import type { AccessStore } from "./access-store.js";
import type { PasswordHasher } from "./password.js";

/** What the operations of access work with. */
export interface AccessContext {
  readonly store: AccessStore & Pick<WebhookStore, "cancelDeliveries"> & Pick<EventStore, "appendAudit">;
  /** Where the windows are kept; it need not be the store. */
  readonly limits: RateLimitStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdSource;
  readonly secrets: ServiceSecrets;
  readonly hasher: PasswordHasher;
  /** Lets webhook URLs lead to private addresses: for development. */
  readonly allowPrivateDestinations: boolean;
  /** The uses of keys that are just being written, by business, key and minute. */
  readonly usesUnderWay: Set<string>;
  /** Told of failures that no caller waits for. */
  readonly onError: (error: unknown) => void;
}
