import type { AccessStore } from "./access/access-store.js";
import type { BudgetStore } from "./budgets/budget-store.js";
import type { CatalogStore } from "./catalog/catalog-store.js";
import type { EventStore } from "./events/event-store.js";
import type { IdempotencyStore } from "./idempotency/idempotency-store.js";
import type { IdStore } from "./kernel/ids.js";
import type { RateLimitStore } from "./limits/rate-limit-store.js";

/** Everything that persists: the sum of the ports that the domains own. */
export interface Store
  extends IdStore,
    BudgetStore,
    EventStore,
    IdempotencyStore,
    AccessStore,
    CatalogStore,
    RateLimitStore {
  /** Brings the schema up to date. Safe when many processes call it at once; throws for a schema newer than known. */
  migrate(): Promise<void>;
  /** True when the store can serve; never throws. */
  isReady(): Promise<boolean>;
  /** Finishes the commits under way and lets go of files and connections. */
  close(): Promise<void>;
}
