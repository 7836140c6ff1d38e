import type { AccessStore } from "./access/access-store.js";
import type { AttachmentStore } from "./attachments/attachment-store.js";
import type { BudgetStore } from "./budgets/budget-store.js";
import type { PaymentStore } from "./budgets/payment-store.js";
import type { CatalogStore } from "./catalog/catalog-store.js";
import type { EventStore } from "./events/event-store.js";
import type { IdempotencyStore } from "./idempotency/idempotency-store.js";
import type { IntegrationStore } from "./integrations/integration-store.js";
import type { HostConnection } from "./kernel/host-connection.js";
import type { IdStore } from "./kernel/ids.js";
import type { RateLimitStore } from "./limits/rate-limit-store.js";
import type { UploadQuotaStore } from "./limits/upload-quota-store.js";
import type { DashboardStore } from "./usage/dashboard-store.js";
import type { UsageStore } from "./usage/usage-store.js";
import type { WebhookStore } from "./webhooks/webhook-store.js";

/**
 * The part of a store that works in a transaction of the host. Every method runs its statements on the host's connection
 * at once and commits nothing: what it writes is seen by others when the host commits, and is gone when it rolls back.
 *
 * Each method stays atomic: one that rejects has undone what it did, and nothing else of the transaction. Outcomes
 * (`"stale"`, `"taken"` …) speak of what the transaction sees. Calls that overlap on one connection do not mix.
 * Rejects with a TypeError when the transaction has ended meanwhile.
 *
 * `reserveIds` waits for nothing that the host's transaction holds. It may be a part of the transaction; then a block
 * that was rolled back is handed out again.
 */
export interface StoreWithin
  extends IdStore,
    BudgetStore,
    PaymentStore,
    CatalogStore,
    Pick<EventStore, "listEvents">,
    Pick<AccessStore, "findBusiness"> {}

/**
 * Everything that persists: the sum of the ports that the domains own. No row needs another one to be there: that a
 * budget's business exists is seen to by who calls. Text that is no id is an id that nobody has.
 */
export interface Store
  extends IdStore,
    BudgetStore,
    PaymentStore,
    AttachmentStore,
    EventStore,
    IdempotencyStore,
    AccessStore,
    CatalogStore,
    RateLimitStore,
    UploadQuotaStore,
    UsageStore,
    DashboardStore,
    WebhookStore,
    IntegrationStore {
  /**
   * This store in the transaction that the host has open on `connection`; for the length of that transaction.
   * Throws a TypeError, which says what to do instead, for what is no connection of the store's kind. One to another
   * database, one without a transaction, and one that the store itself works on are refused alike, at the first call at
   * the latest.
   */
  within(connection: HostConnection): StoreWithin;
  /** Brings the schema up to date. Safe when many processes call it at once; throws for a schema newer than known. */
  migrate(): Promise<void>;
  /** How many steps the schema lacks, 0 when it is up to date; changes nothing. Rejects for what migrate refuses. */
  pendingMigrations(): Promise<number>;
  /**
   * Has `listener` called soon after another process has committed something that the dispatcher may find: events that
   * wait, deliveries that are due. For stores that several processes share, when they can tell; nobody relies on it,
   * since what the store fails to tell is found by looking for it. Also called when the store may have missed something.
   * @returns what ends it.
   */
  onWork?(listener: () => void): () => void;
  /** True when the store can serve; never throws. */
  isReady(): Promise<boolean>;
  /**
   * Finishes the commits under way and lets go of files and connections. Every later call rejects, but for `isReady`,
   * which is false, and `close`, which does nothing.
   */
  close(): Promise<void>;
}
