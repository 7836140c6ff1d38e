import type { AccessCondition, AccessWrite } from "./access/access-commits.js";
import type { AccessStore } from "./access/access-store.js";
import type { AttachmentsBelow, AttachmentWrite } from "./attachments/attachment-commits.js";
import type { AttachmentStore } from "./attachments/attachment-store.js";
import type { BudgetCondition, BudgetWrite } from "./budgets/budget-commits.js";
import type { BudgetStore } from "./budgets/budget-store.js";
import type { LinkViewStore } from "./budgets/link-view-store.js";
import type { MailStore } from "./budgets/mail-store.js";
import type { MessageStore } from "./budgets/message-store.js";
import type { PaymentStore } from "./budgets/payment-store.js";
import type { CatalogWrite, CustomerEmailFree } from "./catalog/catalog-commits.js";
import type { CatalogStore } from "./catalog/catalog-store.js";
import type { Commit, CommitStore } from "./commit/commit.js";
import type { EventStore } from "./events/event-store.js";
import type { IdempotencyStore } from "./idempotency/idempotency-store.js";
import type { IntegrationsBelow, IntegrationWrite } from "./integrations/integration-commits.js";
import type { IntegrationStore } from "./integrations/integration-store.js";
import type { HostConnection } from "./kernel/call.js";
import type { Instant } from "./kernel/clock.js";
import type { IdStore } from "./kernel/ids.js";
import type { LedgerStore } from "./ledger/ledger-store.js";
import type { RateLimitStore } from "./limits/rate-limit-store.js";
import type { StorageStore } from "./limits/storage-quota.js";
import type { UploadQuotaStore } from "./limits/upload-quota-store.js";
import type { SigningKeyStore } from "./signing/signing-key.js";
import type { DashboardStore } from "./usage/dashboard-store.js";
import type { SalesStore } from "./usage/sales-store.js";
import type { UsageStore } from "./usage/usage-store.js";
import type { EndpointsBelow, WebhookWrite } from "./webhooks/endpoint-commits.js";
import type { WebhookStore } from "./webhooks/webhook-store.js";

/** Every fact that a commit may write. Each store handles all of them. */
export type Write = BudgetWrite | AttachmentWrite | CatalogWrite | AccessWrite | IntegrationWrite | WebhookWrite;

/** Everything that a commit may require. */
export type Condition =
  | BudgetCondition
  | CustomerEmailFree
  | AttachmentsBelow
  | AccessCondition
  | IntegrationsBelow
  | EndpointsBelow;

/** A commit of any domain, as a store takes it. */
export type StoreCommit = Commit<Write, Condition>;

/**
 * The part of a store that works in a transaction of the host. Every method runs its statements on the host's connection
 * and commits nothing: others see the writes after the host commits, and a rollback discards them.
 *
 * Each method stays atomic: one that rejects has undone its own writes, and no others of the transaction. Outcomes
 * (`"stale"`, `"taken"` …) are those that the transaction sees. Overlapping calls on one connection do not mix.
 * Rejects with a TypeError after the transaction has ended.
 *
 * `reserveIds` never waits for a lock of the host's transaction. It may be part of the transaction; a rolled-back block
 * of ids is then reserved again.
 */
export interface TransactionStore
  extends CommitStore<Write, Condition>,
    IdStore,
    BudgetStore,
    LinkViewStore,
    PaymentStore,
    MailStore,
    MessageStore,
    CatalogStore,
    Pick<EventStore, "listEvents" | "readLedger">,
    Pick<LedgerStore, "findLedgerBounds">,
    StorageStore,
    SigningKeyStore,
    Pick<AccessStore, "findBusiness"> {}

/**
 * The persistence port: the sum of the domains' ports. There are no foreign keys between rows: the caller makes sure
 * that a budget's business exists. Text that is not an id matches no row.
 */
export interface Store
  extends CommitStore<Write, Condition>,
    IdStore,
    BudgetStore,
    LinkViewStore,
    PaymentStore,
    MailStore,
    MessageStore,
    AttachmentStore,
    EventStore,
    LedgerStore,
    IdempotencyStore,
    AccessStore,
    CatalogStore,
    RateLimitStore,
    UploadQuotaStore,
    StorageStore,
    UsageStore,
    DashboardStore,
    SalesStore,
    WebhookStore,
    IntegrationStore,
    SigningKeyStore {
  /**
   * This store in the transaction that the host has open on `connection`, valid until that transaction ends.
   * Throws a TypeError for an object that is not a connection of the store's kind; its message names the remedy. A
   * connection to another database, without a transaction, or that the store itself uses is refused by the first call at
   * the latest.
   */
  withConnection(connection: HostConnection): TransactionStore;
  /** Migrates the schema. Processes may call it at the same time. Rejects for a schema of a newer release. */
  migrate(): Promise<void>;
  /** The number of missing migrations; 0 = up to date. Changes nothing. Rejects in the cases in which migrate does. */
  pendingMigrations(): Promise<number>;
  /**
   * Calls `listener` soon after another process has committed events or due deliveries, and after a notification may
   * have been lost. For stores that several processes share. Best effort: the dispatcher also polls.
   * @returns a function that removes the listener.
   */
  onWork?(listener: () => void): () => void;
  /**
   * Calls `listener` when the database may have lost commits that this process has seen, as after a failover to a standby
   * that was behind: what is kept in memory of them must go.
   * @returns a function that removes the listener.
   */
  onLostCommits?(listener: () => void): () => void;
  /**
   * Why the store cannot serve, writes included, for an operator; null = it can. Cheap enough to be called every second.
   * Never throws.
   */
  findOutage(): Promise<string | null>;
  /**
   * Takes texts written since into the search index, about `limit` of each kind, and returns how many it took. Searches
   * find them before, too. Called every few seconds. A process that finds another one at it takes none.
   */
  indexTexts?(limit: number): Promise<number>;
  /** Gives back disk space that files of the store no longer need, without a wait for readers. Called every few seconds. */
  shrinkFiles?(): Promise<void>;
  /** The time by a clock that all processes on the store share. Services whose own clock is far off go by it. */
  readClock?(): Promise<Instant>;
  /**
   * Finishes running commits and closes files and connections. Later calls reject, except `findOutage`, which says so,
   * and `close`, which does nothing.
   */
  close(): Promise<void>;
}
