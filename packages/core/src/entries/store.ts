/** The entry "@budgetkit/core/store", for authors of stores: the ports, their types, and the rules of all stores. */

export {
  type AccessCommit,
  type AccessCondition,
  type AccessWrite,
  endSessionCommit,
  insertBusinessCommit,
  insertKeyCommit,
  insertUserCommit,
  type KeyLimits,
  NO_KEY_LIMITS,
  openSessionCommit,
  refreshSessionCommit,
  removeUserCommit,
  replaceBusinessCommit,
  replaceHashCommit,
  replaceKeyCommit,
  replaceUserCommit,
  type SessionsEnd,
  setTierCommit,
  touchKeyCommit,
} from "../access/access-commits.js";
export type { AccessStore, RefreshRotation } from "../access/access-store.js";
export {
  type ApiKey,
  KEY_STATUSES,
  type KeyStatus,
  MAX_KEYS_WITH_WEBHOOK,
  type PresentedKey,
} from "../access/api-key.js";
export type { Business, BusinessProfile } from "../access/business.js";
export { EMPTY_PROFILE, TIERS, type Tier } from "../access/business.js";
export { isActiveOwner, type OneTimeToken, type SecondFactor, type Session, type User } from "../access/user.js";
export type { Attachment } from "../attachments/attachment.js";
export {
  type AttachmentCommit,
  type AttachmentCondition,
  type AttachmentsBelow,
  type AttachmentWrite,
  insertAttachmentCommit,
  removeAttachmentCommit,
  replaceAttachmentCommit,
} from "../attachments/attachment-commits.js";
export type { AttachmentStore } from "../attachments/attachment-store.js";
export type { BlobStore, BlobsFound } from "../attachments/blob-store.js";
export { BUDGET_STATUSES, type Budget, type BudgetItem, type BudgetStatus } from "../budgets/budget.js";
export {
  type BudgetCommit,
  type BudgetCondition,
  type BudgetWrite,
  budgetToNumber,
  countViewCommit,
  insertBudgetCommit,
  insertForCustomerCommit,
  queueMailCommit,
  recordPaymentCommit,
  reminderOptOutCommit,
  replaceBudgetCommit,
  sendMessageCommit,
  withReminderCheck,
} from "../budgets/budget-commits.js";
export {
  BUDGET_SORTS,
  type BudgetQuery,
  type BudgetSort,
  type BudgetStore,
  type ListPosition,
  type NamedBudget,
  type RevisionEntry,
  type SortKey,
} from "../budgets/budget-store.js";
export {
  type ChannelViews,
  type LinkView,
  type LinkViewStore,
  MAX_VIEWINGS,
  VIEW_CHANNELS,
  VIEW_DEVICES,
  type ViewChannel,
  type ViewDevice,
  type Viewing,
  type ViewSum,
} from "../budgets/link-view-store.js";
export { type Mail, type ReminderCheck, startsCheck } from "../budgets/mail.js";
export type { MailStore } from "../budgets/mail-store.js";
export { type BudgetMessage, MAX_MESSAGE } from "../budgets/message.js";
export type { MessageStore } from "../budgets/message-store.js";
export { asOf, type ListPart, listPartsOf, OVERDUE_PART } from "../budgets/overdue.js";
export type { Payment } from "../budgets/payment.js";
export type { PaymentStore } from "../budgets/payment-store.js";
export { BudgetCache } from "../budgets/reading/budget-cache.js";
export {
  compareSortKeys,
  decodeSortKey,
  encodeSortKey,
  searchTextOf,
  sortKeyOf,
} from "../budgets/reading/list-order.js";
export { productNamesOf } from "../budgets/references/references.js";
export {
  type CatalogCommit,
  type CatalogKind,
  type CatalogRecords,
  type CatalogWrite,
  type RecordWrite,
  recordCommit,
} from "../catalog/catalog-commits.js";
export {
  CATALOG_SORTS,
  type CatalogPosition,
  type CatalogQuery,
  type CatalogSort,
  type CatalogStore,
  type RecordKey,
} from "../catalog/catalog-store.js";
export {
  type Customer,
  type CustomerSummary,
  cuitHeldBy,
  customerEmailKeyOf,
  customerSearchText,
} from "../catalog/customer.js";
export type { LineDefaults } from "../catalog/line-defaults.js";
export { type Package, packageSearchText } from "../catalog/package.js";
export { type Product, productSearchText, skusHeldBy, type Variant } from "../catalog/product.js";
export { type ProductName, type ProductSummary, summariesOf } from "../catalog/product-summary.js";
export type { CatalogRecord, RecordBase } from "../catalog/record.js";
export { compareRecordKeys, decodeRecordKey, encodeRecordKey, recordKeyOf } from "../catalog/record-order.js";
export { filledCopy, withNumber } from "../commit/blank.js";
export {
  auditCommit,
  type Commit,
  type CommitStore,
  type Committed,
  commitOf,
  type Expected,
} from "../commit/commit.js";
export type { DeliveryPlan, MadeDelivery, PlannedDelivery, SubscriberVersion } from "../commit/delivery-plan.js";
export { namesOfSubscribers } from "../commit/delivery-plan.js";
export { addedBy, type Change, inspectAll, isRefusal, uncounted } from "../commit/inspect.js";
export { foldedSeries, type NumberDraw, type Numbering, type NumberKept } from "../commit/numbering.js";
export { assertOneBusiness } from "../commit/one-business.js";
export { isTaken, type Refusal, type Taken } from "../commit/refusal.js";
export {
  AUDIT_TYPES,
  type AuditEntry,
  type AuditType,
  type DomainEvent,
  type EntryPlace,
  EVENT_TYPES,
  type EventChange,
  type EventType,
  type StoredAuditEntry,
  type StoredEvent,
  SUBSCRIBER_KINDS,
  type Subscriber,
  subjectKindOf,
} from "../events/event.js";
export type { EventName, EventQuery, EventStore, LedgerPage } from "../events/event-store.js";
export { type ChainLink, entryHash, entryText, type LedgerEntry } from "../events/ledger-entry.js";
export type { ClaimToComplete } from "../idempotency/held-claim.js";
export type {
  Claim,
  ClaimOutcome,
  CompletedClaim,
  IdempotencyRecord,
  IdempotencyStore,
} from "../idempotency/idempotency-store.js";
export { INTEGRATION_STATUSES, type Integration, type IntegrationStatus } from "../integrations/integration.js";
export {
  type IntegrationCommit,
  type IntegrationsBelow,
  type IntegrationWrite,
  insertIntegrationCommit,
  removeIntegrationCommit,
  replaceIntegrationCommit,
} from "../integrations/integration-commits.js";
export type { IntegrationStore } from "../integrations/integration-store.js";
export type { Origin } from "../kernel/actor.js";
export { ROLES, type Role, SCOPES, type Scope } from "../kernel/actor.js";
export { BusinessCache } from "../kernel/business-cache.js";
export type { HostConnection } from "../kernel/call.js";
export { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from "../kernel/clock.js";
export { createFairSemaphore, type RunInSlot, type SemaphoreLimits } from "../kernel/fair-semaphore.js";
export { foldForSearch } from "../kernel/fold-for-search.js";
export {
  createIdSource,
  firstInRange,
  ID_RANGE_SIZE,
  type IdStore,
  idRange,
  LAST_ID_RANGE,
  nextRangeNumber,
  parseId,
} from "../kernel/ids.js";
export { mapInTurns } from "../kernel/in-turns.js";
export { checkOptionNames, nearestName, type OptionNames } from "../kernel/known-names.js";
export { type Position, searchTextOfFields } from "../kernel/list-query.js";
export { memoize } from "../kernel/memoize.js";
export { fromMinor, MAX_MINOR, type Minor } from "../kernel/money.js";
export { type NumberSeries, numberIn } from "../kernel/number-pattern.js";
export type { Page } from "../kernel/page.js";
export { IdTaken, isIdTaken, StoreUnavailable } from "../kernel/problem.js";
export { sharedAnswer } from "../kernel/shared-answer.js";
export type { ChainBeginning, LedgerBounds, LedgerPosition, LedgerStart, LedgerStore } from "../ledger/ledger-store.js";
export { createMemoryRateLimitStore } from "../limits/memory-rate-limit-store.js";
export {
  type Admission,
  type RateLimitStore,
  type Window,
  type WindowRefusal,
  withoutLead,
} from "../limits/rate-limit-store.js";
export { longestOf, SlidingWindowLog } from "../limits/sliding-window-log.js";
export {
  addUse,
  exceedsQuota,
  NO_USE,
  type StorageQuota,
  type StorageStore,
  type StorageUse,
} from "../limits/storage-quota.js";
export { counts, decideHold, grantHold, UPLOAD_WINDOW, uploadSubject } from "../limits/upload-quota.js";
export type { UploadCharge, UploadDecision, UploadHold, UploadQuotaStore } from "../limits/upload-quota-store.js";
export type { SigningKey, SigningKeyStore } from "../signing/signing-key.js";
export type { Condition, Store, StoreCommit, TransactionStore, Write } from "../store.js";
export type { BudgetSum, DashboardStore, KeyCounts } from "../usage/dashboard-store.js";
export { sumRows } from "../usage/period.js";
export {
  NO_SLOT,
  SALES_OUTCOMES,
  type SalesChange,
  type SalesOutcome,
  SLOT_MS,
  type Sold,
  salesChangesOf,
  salesSharesOf,
  slotOf,
  soldOf,
} from "../usage/sales-shares.js";
export type { CurrencySum, OpenSums, SalesStore, SalesSum } from "../usage/sales-store.js";
export { addCounts, USAGE_GRAINS, type UsageCounts, type UsageGrain, type UsageRow } from "../usage/usage.js";
export type { MomentSum, RouteSum, UsageSlice, UsageStore, UsageSums } from "../usage/usage-store.js";
export { plannedDeliveries, textsOfPayload } from "../webhooks/deliveries/planned-deliveries.js";
export {
  type Attempt,
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryStatus,
  isFinished,
  type Lease,
  MAX_LISTED_ATTEMPTS,
} from "../webhooks/delivery.js";
export { chooseFairly, type DueDelivery, type FreeSlots, freeSlots } from "../webhooks/dispatch/fair-claim.js";
export { ENDPOINT_STATUSES, type EndpointStatus, MAX_ENDPOINTS, type WebhookEndpoint } from "../webhooks/endpoint.js";
export {
  type EndpointsBelow,
  insertEndpointCommit,
  removeEndpointCommit,
  replaceEndpointCommit,
  testDeliveryCommit,
  type WebhookCommit,
  type WebhookWrite,
} from "../webhooks/endpoint-commits.js";
export { REPLAY_STATUSES, type Replay, type ReplayStatus } from "../webhooks/replay.js";
export type { ReplayCursor, ReplayStore } from "../webhooks/replay-store.js";
export type {
  Backlog,
  DeliveryCursor,
  DeliveryLog,
  DeliveryQuery,
  DeliveryQueue,
  DueClaim,
  EndpointStore,
  InFlightCalls,
  Redelivery,
  Settlement,
  Subscribers,
  UnreadableReport,
  WebhookStore,
} from "../webhooks/webhook-store.js";
