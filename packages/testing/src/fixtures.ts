import {
  type ApiKey,
  type AuditEntry,
  type Budget,
  type BudgetItem,
  type BudgetQuery,
  type Business,
  type Claim,
  DAY_MS,
  type DomainEvent,
  EMPTY_PROFILE,
  type EventQuery,
  HOUR_MS,
  type IdempotencyRecord,
  type Instant,
  MINUTE_MS,
  type Session,
  type User,
} from "@budgetkit/core/store";

/** When everything in the fixtures was made, unless a test says otherwise. */
export const FIXTURE_TIME: Instant = Date.UTC(2026, 0, 15, 12);

/** The business that fixtures belong to, unless a test says otherwise. */
export const FIXTURE_BUSINESS = "1";

/** Valid models with plain values. A test names the fields that it is about; the rest is of no interest to it. */
export function aBusiness(overrides: Partial<Business> = {}): Business {
  return {
    id: FIXTURE_BUSINESS,
    name: "Carpintería Norte",
    tier: "STANDARD",
    timeZone: "UTC",
    profile: EMPTY_PROFILE,
    version: 1,
    createdAt: FIXTURE_TIME,
    ...overrides,
  };
}

export function anItem(overrides: Partial<BudgetItem> = {}): BudgetItem {
  return {
    id: "11",
    productId: null,
    variantId: null,
    packageId: null,
    description: "Oak table",
    quantity: 2,
    unitPrice: 50,
    total: 10_000,
    discount: 0,
    tax: 2_100,
    ...overrides,
  };
}

export function aBudget(overrides: Partial<Budget> = {}): Budget {
  return {
    businessId: FIXTURE_BUSINESS,
    id: "10",
    version: 1,
    revision: 1,
    revised: { at: FIXTURE_TIME, by: "key:20", changes: [], asked: true },
    customerId: "500",
    status: "PENDING",
    currency: "USD",
    items: [anItem()],
    taxRate: 0.21,
    subtotal: 10_000,
    discount: 0,
    tax: 2_100,
    total: 12_100,
    paid: 0,
    notes: null,
    validUntil: null,
    metadata: {},
    createdAt: FIXTURE_TIME,
    createdBy: "key:20",
    updatedAt: FIXTURE_TIME,
    approvedAt: null,
    approvedBy: null,
    acceptance: null,
    deletion: null,
    publicTokenHash: null,
    publicOffer: null,
    ...overrides,
  };
}

/** A list of everything but deleted budgets, newest first, on one large page. */
export function aBudgetQuery(overrides: Partial<BudgetQuery> = {}): BudgetQuery {
  return {
    now: FIXTURE_TIME,
    status: null,
    includeDeleted: false,
    customerId: null,
    search: null,
    minTotal: null,
    maxTotal: null,
    createdAfter: null,
    createdBefore: null,
    sort: "createdAt",
    order: "desc",
    limit: 100,
    position: { kind: "offset", offset: 0 },
    ...overrides,
  };
}

export function anEvent(overrides: Partial<DomainEvent> = {}): DomainEvent {
  return {
    businessId: FIXTURE_BUSINESS,
    id: "90",
    type: "budget.created",
    occurredAt: FIXTURE_TIME,
    actor: "key:20",
    subjectId: "10",
    data: { budgetId: "10" },
    change: { fields: [], from: null, to: "PENDING", reason: null },
    ...overrides,
  };
}

/** That a user read the webhook secret of {@link anApiKey}. */
export function anAuditEntry(overrides: Partial<AuditEntry> = {}): AuditEntry {
  return {
    businessId: FIXTURE_BUSINESS,
    id: "95",
    type: "api_key.secret_read",
    occurredAt: FIXTURE_TIME,
    actor: "user:30",
    subjectId: "20",
    data: {},
    change: { fields: [], from: null, to: null, reason: null },
    ...overrides,
  };
}

/** All events on one large page. */
export function anEventQuery(overrides: Partial<EventQuery> = {}): EventQuery {
  return { type: null, subjectId: null, since: null, until: null, limit: 100, offset: 0, ...overrides };
}

export function anApiKey(overrides: Partial<ApiKey> = {}): ApiKey {
  const id = overrides.id ?? "20";
  return {
    businessId: FIXTURE_BUSINESS,
    id,
    version: 1,
    name: "Web shop",
    description: null,
    scopes: ["READ_BUDGETS", "WRITE_BUDGETS"],
    status: "ACTIVE",
    rateLimitPerHour: 1_000,
    allowedIps: null,
    expiresAt: null,
    webhookUrl: null,
    sealedWebhookSecret: "v1.sealed",
    previousSealedWebhookSecret: null,
    previousWebhookSecretUntil: null,
    keyPrefix: "bgk_live_abc",
    keyHash: `hash-of-key-${id}`,
    previousKeyHash: null,
    previousKeyExpiresAt: null,
    createdAt: FIXTURE_TIME,
    updatedAt: FIXTURE_TIME,
    revokedAt: null,
    lastUsedAt: null,
    ...overrides,
  };
}

export function aUser(overrides: Partial<User> = {}): User {
  return {
    businessId: FIXTURE_BUSINESS,
    id: "30",
    version: 1,
    email: "Ana@example.com",
    emailKey: "ana@example.com",
    displayName: "Ana",
    avatarUrl: null,
    role: "OWNER",
    emailVerified: true,
    passwordHash: "hash-of-password",
    disabledAt: null,
    oneTimeToken: null,
    secondFactor: null,
    createdAt: FIXTURE_TIME,
    lastLoginAt: null,
    ...overrides,
  };
}

export function aSession(overrides: Partial<Session> = {}): Session {
  return {
    businessId: FIXTURE_BUSINESS,
    id: "40",
    userId: "30",
    refreshHash: "hash-of-refresh-1",
    refreshExpiresAt: FIXTURE_TIME + 30 * DAY_MS,
    createdAt: FIXTURE_TIME,
    endedAt: null,
    ...overrides,
  };
}

/** A claim made at {@link FIXTURE_TIME}: its lease is one minute, its record lasts 24 hours. */
export function aClaim(overrides: Partial<Claim> = {}): Claim {
  return {
    businessId: FIXTURE_BUSINESS,
    key: "client-key",
    claimId: "claim-1",
    fingerprint: "fingerprint-1",
    leaseUntil: FIXTURE_TIME + MINUTE_MS,
    expiresAt: FIXTURE_TIME + 24 * HOUR_MS,
    ...overrides,
  };
}

/** The idempotency record that completes {@link aClaim}. */
export function anIdempotencyRecord(overrides: Partial<IdempotencyRecord> = {}): IdempotencyRecord {
  return {
    businessId: FIXTURE_BUSINESS,
    key: "client-key",
    claimId: "claim-1",
    response: "sealed-response",
    ...overrides,
  };
}
