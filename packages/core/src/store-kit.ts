/**
 * The entry "@budgetkit/core/store": what whoever writes a store needs, apart from what applications use. The types of
 * the ports and of what they carry, and the rules that all stores share.
 */
export type { AccessStore, RefreshRotation } from "./access/access-store.js";
export { type ApiKey, KEY_STATUSES, type KeyStatus } from "./access/api-key.js";
export type { Business } from "./access/business.js";
export type { Session, User } from "./access/user.js";
export type { Attachment } from "./attachments/attachment.js";
export type { AttachmentStore } from "./attachments/attachment-store.js";
export type { BlobStore, BlobsFound } from "./attachments/blob-store.js";
export { BUDGET_STATUSES, type Budget, type BudgetItem, type BudgetStatus } from "./budgets/budget.js";
export {
  BUDGET_SORTS,
  type BudgetQuery,
  type BudgetSort,
  type BudgetStore,
  type InsertOutcome,
  type ListPosition,
  type ReplaceOutcome,
  type RevisionEntry,
  type SortKey,
} from "./budgets/budget-store.js";
export {
  compareSortKeys,
  decodeSortKey,
  encodeSortKey,
  searchTextOf,
  sortKeyOf,
} from "./budgets/list-order.js";
export type { Payment } from "./budgets/payment.js";
export type { PaymentOutcome, PaymentStore } from "./budgets/payment-store.js";
export {
  CATALOG_SORTS,
  type CatalogPosition,
  type CatalogQuery,
  type CatalogSort,
  type CatalogStore,
  type RecordInsertOutcome,
  type RecordKey,
  type RecordReplaceOutcome,
  type Taken,
} from "./catalog/catalog-store.js";
export { type Customer, type CustomerSummary, cuitHeldBy, customerSearchText } from "./catalog/customer.js";
export { type Package, packageSearchText } from "./catalog/package.js";
export { type Product, productSearchText, skusHeldBy } from "./catalog/product.js";
export { type ProductName, type ProductSummary, summariesOf } from "./catalog/product-summary.js";
export type { CatalogRecord } from "./catalog/record.js";
export { compareRecordKeys, encodeRecordKey, recordKeyOf } from "./catalog/record-order.js";
export { AUDIT_TYPES, type AuditEntry, type AuditType, type StoredAuditEntry } from "./events/audit.js";
export { type DomainEvent, EVENT_TYPES, type EventChange, type EventType, type StoredEvent } from "./events/event.js";
export type { EventName, EventQuery, EventStore } from "./events/event-store.js";
export type {
  Claim,
  ClaimOutcome,
  CompletedClaim,
  IdempotencyStore,
  Receipt,
} from "./idempotency/idempotency-store.js";
export { INTEGRATION_STATUSES, type Integration, type IntegrationStatus } from "./integrations/integration.js";
export type { IntegrationStore } from "./integrations/integration-store.js";
export { ROLES, type Role, SCOPES, type Scope } from "./kernel/actor.js";
export type { Instant } from "./kernel/clock.js";
export type { HostConnection } from "./kernel/host-connection.js";
export { type IdStore, parseId } from "./kernel/ids.js";
export { fromMinor, type Minor } from "./kernel/money.js";
export type { Origin } from "./kernel/origin.js";
export type { Page } from "./kernel/page.js";
export { StoreUnavailable } from "./kernel/problem.js";
export { foldForSearch, searchTextOfFields } from "./kernel/search-text.js";
export { createMemoryRateLimitStore } from "./limits/memory-rate-limit-store.js";
export type { Admission, RateLimitStore, Window, WindowState } from "./limits/rate-limit-store.js";
export { TIERS, type Tier } from "./limits/tiers.js";
export { counts, decideHold } from "./limits/upload-quota.js";
export type { UploadCharge, UploadDecision, UploadHold, UploadQuotaStore } from "./limits/upload-quota-store.js";
export { WindowLog } from "./limits/window-log.js";
export {
  type CopyOptions,
  type CopyPlace,
  type CopyProgress,
  CopyRefused,
  type CopyReport,
  type CopyState,
  copyData,
  type DataSource,
  type DataTarget,
  type TableComparison,
  type TableSummary,
} from "./storage/data-copy.js";
export {
  columnsOf,
  DATA_TABLES,
  type DataRow,
  type DataTable,
  type DataTableName,
  type DataValue,
} from "./storage/data-tables.js";
export { createGroupCommit, type GroupCommit, type GroupCommitOptions } from "./storage/group-commit.js";
export type { Store, StoreWithin } from "./store.js";
export type { BudgetSum, DashboardStore, KeyCounts } from "./usage/dashboard-store.js";
export { USAGE_GRAINS, type UsageCounts, type UsageGrain, type UsageRow } from "./usage/usage.js";
export type { MomentSum, RouteSum, UsageSlice, UsageStore, UsageSums } from "./usage/usage-store.js";
export {
  type Attempt,
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryStatus,
  type Lease,
  SUBSCRIBER_KINDS,
  type Subscriber,
} from "./webhooks/delivery.js";
export { ENDPOINT_STATUSES, type EndpointStatus, type WebhookEndpoint } from "./webhooks/endpoint.js";
export type {
  Backlog,
  DeliveryPlace,
  DeliveryQuery,
  DueClaim,
  Restart,
  Settlement,
  Subscribers,
  UnderWay,
  WebhookStore,
} from "./webhooks/webhook-store.js";
