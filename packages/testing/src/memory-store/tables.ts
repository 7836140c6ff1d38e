import type {
  ApiKey,
  Attachment,
  Attempt,
  Budget,
  BudgetMessage,
  Business,
  ChannelViews,
  Claim,
  Customer,
  Delivery,
  Instant,
  Integration,
  LedgerStart,
  Mail,
  Package,
  Payment,
  Product,
  ReminderCheck,
  Replay,
  Session,
  SigningKey,
  StorageUse,
  StoredAuditEntry,
  StoredEvent,
  UploadCharge,
  UsageRow,
  User,
  Viewing,
  WebhookEndpoint,
} from "@budgetkit/core/store";
import { TenantTable } from "./tenant-table.js";

/** The data of the store. */
export interface Tables {
  nextBusinessId: number;
  nextIdRange: number;
  readonly idRanges: Map<string, { next: number; end: number }>; // by business
  readonly budgets: TenantTable<Budget>;
  readonly revisions: TenantTable<Budget>; // by budget and revision, without the current one
  readonly numbers: TenantTable<string>; // by number: the id of the budget
  readonly numberSeries: TenantTable<number>; // by series: the next value
  readonly linkViews: TenantTable<readonly ChannelViews[]>; // by budget
  readonly viewings: TenantTable<readonly Viewing[]>; // by budget, newest first
  readonly payments: TenantTable<readonly Payment[]>; // by budget
  readonly mails: TenantTable<Mail>;
  readonly messages: TenantTable<BudgetMessage>;
  readonly reminderChecks: TenantTable<ReminderCheck>; // by budget
  readonly reminderOptOuts: TenantTable<ReadonlyMap<string, Instant>>; // by customer; by recipient
  readonly events: StoredEvent[]; // in the order of commits, all businesses
  readonly auditEntries: StoredAuditEntry[]; // in the order of commits, all businesses
  readonly lastEntries: Map<string, LastEntry>; // by business; the entry may have been pruned since
  readonly lastRevisions: TenantTable<number>; // by kind and id of the subject
  readonly hashes: TenantTable<string>; // by sequence
  readonly ledgerStarts: Map<string, LedgerStart>; // by business
  readonly undispatched: Set<StoredEvent>; // events that wait for their fan-out, in the order of commits
  readonly claims: TenantTable<ClaimRow>;
  readonly businesses: Map<string, Business>;
  readonly users: TenantTable<User>;
  readonly sessions: TenantTable<Session>;
  readonly keys: TenantTable<ApiKey>;
  readonly usage: Map<string, UsageRow>; // by all key columns
  readonly customers: TenantTable<Customer>;
  readonly products: TenantTable<Product>;
  readonly packages: TenantTable<Package>;
  readonly endpoints: TenantTable<WebhookEndpoint>;
  readonly replays: TenantTable<Replay>; // by endpoint
  readonly integrations: TenantTable<Integration>;
  readonly deliveries: TenantTable<Delivery>;
  readonly bodies: TenantTable<StoredBody>; // by the first of its deliveries
  readonly bodyOf: TenantTable<string>; // by delivery: the first that shares its body
  readonly attempts: TenantTable<readonly Attempt[]>; // by delivery, in the order in which they were made
  readonly attachments: TenantTable<Attachment>;
  readonly signingKeys: Map<number, SigningKey>;
  readonly storage: Map<string, StorageUse>; // by business
  readonly uploads: TenantTable<UploadCharge & { readonly subject: string }>; // by subject instead of business
}

/** The last event or audit entry of a business. */
interface LastEntry {
  readonly sequence: number;
  readonly hash: string;
}

/** What a body counts for the quota until the last of its deliveries is removed. */
interface StoredBody {
  readonly bytes: number;
  readonly deliveries: number;
}

/** A claim of an idempotency key, with its response once completed. */
export interface ClaimRow extends Claim {
  readonly response: string | null; // null = not completed
}

/** Returns the tables. Throws an Error when the store is closed. */
export type OpenTables = () => Tables;

export function emptyTables(): Tables {
  return {
    nextBusinessId: 1_001,
    nextIdRange: 1,
    idRanges: new Map(),
    budgets: new TenantTable(),
    revisions: new TenantTable(),
    numbers: new TenantTable(),
    numberSeries: new TenantTable(),
    linkViews: new TenantTable(),
    viewings: new TenantTable(),
    payments: new TenantTable(),
    mails: new TenantTable(),
    messages: new TenantTable(),
    reminderChecks: new TenantTable(),
    reminderOptOuts: new TenantTable(),
    events: [],
    auditEntries: [],
    lastEntries: new Map(),
    lastRevisions: new TenantTable(),
    hashes: new TenantTable(),
    ledgerStarts: new Map(),
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
    replays: new TenantTable(),
    integrations: new TenantTable(),
    deliveries: new TenantTable(),
    bodies: new TenantTable(),
    bodyOf: new TenantTable(),
    attempts: new TenantTable(),
    attachments: new TenantTable(),
    signingKeys: new Map(),
    storage: new Map(),
    uploads: new TenantTable(),
  };
}
