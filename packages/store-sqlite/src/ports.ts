import type { TransactionStore } from "@budgetkit/core/store";
import { sqliteBusinesses } from "./access/businesses.js";
import { sqliteKeys } from "./access/keys.js";
import { sqliteSessions } from "./access/sessions.js";
import { sqliteUsers } from "./access/users.js";
import { sqliteAttachments } from "./attachments/attachments.js";
import { sqliteBudgets } from "./budgets/budgets.js";
import { sqliteLinkViews } from "./budgets/link-views.js";
import { sqliteMails } from "./budgets/mails.js";
import { sqliteMessages } from "./budgets/messages.js";
import { sqlitePayments } from "./budgets/payments.js";
import { sqliteCatalog } from "./catalog/catalog.js";
import { sqliteCommits } from "./commits.js";
import type { Connection } from "./engine/connection.js";
import { sqliteIds } from "./engine/ids.js";
import { sqliteEvents } from "./events/events.js";
import { sqliteIdempotency } from "./events/idempotency.js";
import { sqliteLedger } from "./events/ledger.js";
import { type FrequentReads, frequentMethods, frequentReads } from "./frequent-reads.js";
import { sqliteIntegrations } from "./integrations/integrations.js";
import { sqliteStorage } from "./limits/storage-use.js";
import { sqliteUploadQuotas } from "./limits/upload-quotas.js";
import { sqliteSigningKeys } from "./signing/signing-keys.js";
import { sqliteDashboard } from "./usage/dashboard.js";
import { sqliteSales } from "./usage/sales.js";
import { sqliteUsage } from "./usage/usage.js";
import { sqliteDeliveries } from "./webhooks/delivery-log.js";
import { sqliteDispatch } from "./webhooks/delivery-queue.js";
import { sqliteEndpoints } from "./webhooks/endpoints.js";
import { sqliteReplays } from "./webhooks/replays.js";
import { sqliteSubscribers } from "./webhooks/subscribers.js";

/** The ports of the store in a transaction of the host. */
export function transactionPorts(connection: Connection): TransactionStore {
  const reads = frequentReads(connection);
  const { findKeyByHash: _, ...frequent } = frequentMethods(connection, () => reads);
  const { listEvents, readLedger } = sqliteEvents(connection);
  return {
    ...sqliteCommits(connection),
    ...sqliteIds(connection),
    ...sqliteBudgets(connection),
    ...sqliteLinkViews(connection),
    ...sqlitePayments(connection),
    ...sqliteMails(connection),
    ...sqliteMessages(connection),
    ...sqliteCatalog(connection),
    listEvents,
    readLedger,
    findLedgerBounds: sqliteLedger(connection).findLedgerBounds,
    ...frequent,
    ...sqliteStorage(connection),
    ...sqliteSigningKeys(connection),
  };
}

/** The ports of the store on its own connection. For `readsNow` see {@link frequentMethods}. */
export function ownPorts(connection: Connection, readsNow: () => FrequentReads) {
  return {
    ...transactionPorts(connection),
    ...frequentMethods(connection, readsNow),
    ...sqliteEvents(connection),
    ...sqliteLedger(connection),
    ...sqliteIdempotency(connection),
    ...sqliteBusinesses(connection),
    ...sqliteUsers(connection),
    ...sqliteSessions(connection),
    ...sqliteKeys(connection),
    ...sqliteUsage(connection),
    ...sqliteDashboard(connection),
    ...sqliteSales(connection),
    ...sqliteEndpoints(connection),
    ...sqliteSubscribers(connection),
    ...sqliteDispatch(connection),
    ...sqliteDeliveries(connection),
    ...sqliteReplays(connection),
    ...sqliteIntegrations(connection),
    ...sqliteAttachments(connection),
    ...sqliteUploadQuotas(connection),
  };
}
