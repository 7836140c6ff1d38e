/**
 * The entry "@budgetkit/core/store": what whoever writes a store needs, apart from what applications use. The types of
 * the ports and of what they carry, and the rules that all stores share.
 */
export type { AccessStore, RefreshRotation } from "./access/access-store.js";
export { type ApiKey, KEY_STATUSES, type KeyStatus } from "./access/api-key.js";
export type { Business } from "./access/business.js";
export type { Session, User } from "./access/user.js";
export { BUDGET_STATUSES, type Budget, type BudgetItem, type BudgetStatus } from "./budgets/budget.js";
export {
  BUDGET_SORTS,
  type BudgetQuery,
  type BudgetSort,
  type BudgetStore,
  type InsertOutcome,
  type ListPosition,
  type ReplaceOutcome,
  type SortKey,
} from "./budgets/budget-store.js";
export {
  compareSortKeys,
  decodeSortKey,
  encodeSortKey,
  foldForSearch,
  searchTextOf,
  sortKeyOf,
} from "./budgets/list-order.js";
export type { CatalogStore, CustomerSummary, ProductSummary } from "./catalog/catalog-store.js";
export { type DomainEvent, EVENT_TYPES, type EventChange, type EventType, type StoredEvent } from "./events/event.js";
export type { EventQuery, EventStore } from "./events/event-store.js";
export type { Claim, ClaimOutcome, IdempotencyStore, Receipt } from "./idempotency/idempotency-store.js";
export { ROLES, type Role, SCOPES, type Scope } from "./kernel/actor.js";
export type { Instant } from "./kernel/clock.js";
export { type IdStore, parseId } from "./kernel/ids.js";
export { fromMinor, type Minor } from "./kernel/money.js";
export type { Page } from "./kernel/page.js";
export { StoreUnavailable } from "./kernel/problem.js";
export { createMemoryRateLimitStore } from "./limits/memory-rate-limit-store.js";
export type { Admission, RateLimitStore, Window, WindowState } from "./limits/rate-limit-store.js";
export { TIERS, type Tier } from "./limits/tiers.js";
export { WindowLog } from "./limits/window-log.js";
export { createGroupCommit, type GroupCommit, type GroupCommitOptions } from "./storage/group-commit.js";
export type { Store } from "./store.js";
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
  DeliveryQuery,
  DueClaim,
  Settlement,
  Subscribers,
  UnderWay,
  WebhookStore,
} from "./webhooks/webhook-store.js";
