import type { AccessStore } from "./access/access-store.js";
import type { AttachmentStore } from "./attachments/attachment-store.js";
import type { BudgetStore } from "./budgets/budget-store.js";
import type { PaymentStore } from "./budgets/payment-store.js";
import type { CatalogStore } from "./catalog/catalog-store.js";
import type { EventStore } from "./events/event-store.js";
import type { IdempotencyStore } from "./idempotency/idempotency-store.js";
import type { IntegrationStore } from "./integrations/integration-store.js";
import type { IdStore } from "./kernel/ids.js";
import type { RateLimitStore } from "./limits/rate-limit-store.js";
import type { UploadQuotaStore } from "./limits/upload-quota-store.js";
import type { DashboardStore } from "./usage/dashboard-store.js";
import type { UsageStore } from "./usage/usage-store.js";
import type { WebhookStore } from "./webhooks/webhook-store.js";

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
  /** Brings the schema up to date. Safe when many processes call it at once; throws for a schema newer than known. */
  migrate(): Promise<void>;
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
