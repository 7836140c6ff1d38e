import type { ApiKey } from "../../access/api-key.js";
import type { Business } from "../../access/business.js";
import type { Session, User } from "../../access/user.js";
import type { Attachment } from "../../attachments/attachment.js";
import type { Budget } from "../../budgets/budget.js";
import type { Payment } from "../../budgets/payment.js";
import type { Customer } from "../../catalog/customer.js";
import type { Package } from "../../catalog/package.js";
import type { Product } from "../../catalog/product.js";
import type { StoredAuditEntry } from "../../events/audit.js";
import type { StoredEvent } from "../../events/event.js";
import type { Claim } from "../../idempotency/idempotency-store.js";
import type { Integration } from "../../integrations/integration.js";
import type { UploadCharge } from "../../limits/upload-quota-store.js";
import type { UsageRow } from "../../usage/usage.js";
import type { Attempt, Delivery } from "../../webhooks/delivery.js";
import type { WebhookEndpoint } from "../../webhooks/endpoint.js";
import { TenantTable } from "./tenant-table.js";

/** What the store remembers. */
export interface Tables {
  nextId: number;
  readonly budgets: TenantTable<Budget>;
  readonly revisions: TenantTable<Budget>; // by budget and revision, but for the present one
  readonly payments: TenantTable<readonly Payment[]>; // by budget
  readonly events: StoredEvent[]; // in the order of commits, all businesses
  readonly auditEntries: StoredAuditEntry[]; // in the order of commits, all businesses
  lastSequence: number; // of an event or audit entry, which may have been pruned since
  readonly undispatched: Set<number>; // sequences of events that have not been fanned out
  readonly claims: TenantTable<ClaimRow>;
  readonly businesses: Map<string, Business>;
  readonly users: TenantTable<User>;
  readonly sessions: TenantTable<Session>;
  readonly keys: TenantTable<ApiKey>;
  readonly usage: Map<string, UsageRow>; // by everything that makes its place
  readonly customers: TenantTable<Customer>;
  readonly products: TenantTable<Product>;
  readonly packages: TenantTable<Package>;
  readonly endpoints: TenantTable<WebhookEndpoint>;
  readonly integrations: TenantTable<Integration>;
  readonly deliveries: TenantTable<Delivery>;
  readonly attempts: TenantTable<readonly Attempt[]>; // by delivery, in the order in which they were made
  readonly attachments: TenantTable<Attachment>;
  readonly uploads: TenantTable<UploadCharge & { readonly subject: string }>; // by subject, in the place of a business
}

/** A claim on an idempotency key and, once completed, what it answered. */
export interface ClaimRow extends Claim {
  readonly response: string | null; // null = not completed
}

/** Gives the tables; throws an Error once the store is closed. */
export type OpenTables = () => Tables;

export function emptyTables(): Tables {
  return {
    nextId: 1,
    budgets: new TenantTable(),
    revisions: new TenantTable(),
    payments: new TenantTable(),
    events: [],
    auditEntries: [],
    lastSequence: 0,
    undispatched: new Set(),
    claims: new TenantTable(),
    businesses: new Map(),
    users: new TenantTable(),
    sessions: new TenantTable(),
    keys: new TenantTable(),
    customers: new TenantTable(),
    products: new TenantTable(),
    usage: new Map(),
    packages: new TenantTable(),
    endpoints: new TenantTable(),
    integrations: new TenantTable(),
    deliveries: new TenantTable(),
    attempts: new TenantTable(),
    attachments: new TenantTable(),
    uploads: new TenantTable(),
  };
}
