import { createMemoryRateLimitStore, type RateLimitStore, type Store } from "@budgetkit/core/store";
import { memoryAccess } from "./access.js";
import { memoryAttachments } from "./attachments.js";
import { memoryBudgets } from "./budgets.js";
import { memoryCatalog } from "./catalog.js";
import { memoryCommits } from "./commits.js";
import { memoryDashboard } from "./dashboard.js";
import { memoryEvents } from "./events.js";
import { memoryIdempotency } from "./idempotency.js";
import { memoryIds } from "./ids.js";
import { memoryIntegrations } from "./integrations.js";
import { memoryLedger } from "./ledger.js";
import { memoryLinkViews } from "./link-views.js";
import { memoryMails } from "./mails.js";
import { memoryMessages } from "./messages.js";
import { memoryPayments } from "./payments.js";
import { memorySales } from "./sales.js";
import { memorySigningKeys } from "./signing-keys.js";
import { memoryStorage } from "./storage-use.js";
import { emptyTables, type OpenTables } from "./tables.js";
import { memoryUploadQuotas } from "./upload-quotas.js";
import { memoryUsage } from "./usage.js";
import { memoryWebhooks } from "./webhooks.js";

/**
 * An in-memory store: the reference for the other stores, and the store that tests use. Each method works in one
 * synchronous step, so it is atomic. It does not join transactions of a host.
 */
export function memoryStore(): Store {
  const tables = emptyTables();
  let isOpen = true;
  const open: OpenTables = () => {
    if (!isOpen) throw new Error("the store is closed");
    return tables;
  };
  const catalog = memoryCatalog(open);
  return {
    ...memoryCommits(open),
    ...memoryIds(open),
    ...memoryBudgets(open, catalog),
    ...memoryLinkViews(open),
    ...memoryPayments(open),
    ...memoryMails(open),
    ...memoryMessages(open),
    ...memoryEvents(open),
    ...memoryIdempotency(open),
    ...memoryAccess(open),
    ...catalog,
    ...memoryRateLimits(open),
    ...memoryUsage(open),
    ...memoryDashboard(open),
    ...memorySales(open),
    ...memoryWebhooks(open),
    ...memoryIntegrations(open),
    ...memoryAttachments(open),
    ...memoryUploadQuotas(open),
    ...memoryStorage(open),
    ...memoryLedger(open),
    ...memorySigningKeys(open),
    withConnection: () => {
      throw new TypeError(
        "memoryStore() takes no part in transactions of a host: leave `connection` out, or test with sqliteStore() on a file",
      );
    },
    migrate: async () => {
      open();
    },
    pendingMigrations: async () => {
      open();
      return 0;
    },
    findOutage: async () => (isOpen ? null : "the store was closed"),
    close: async () => {
      isOpen = false;
    },
  };
}

function memoryRateLimits(open: OpenTables): RateLimitStore {
  const limiter = createMemoryRateLimitStore();
  return {
    consume: async (subject, windows, now) => {
      open();
      return limiter.consume(subject, windows, now);
    },
    countConsumed: async (subject, lengthMs, now) => {
      open();
      return limiter.countConsumed(subject, lengthMs, now);
    },
    pruneWindows: async (now, limit) => {
      open();
      return limiter.pruneWindows(now, limit);
    },
  };
}
