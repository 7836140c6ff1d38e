// Written by tests/client/types.test.ts from the description of the interface.

export type BudgetStatus = "DRAFT" | "PENDING" | "APPROVED" | "REJECTED" | "EXPIRED" | "COMPLETED" | "ARCHIVED" | "DELETED";

export type DeliveryStatus = "pending" | "retrying" | "delivered" | "failed" | "cancelled";

export type EventType = "budget.created" | "budget.updated" | "budget.approved" | "budget.rejected" | "budget.expired" | "budget.deleted" | "budget.viewed" | "budget.change_requested" | "budget.message_sent" | "customer.created" | "customer.updated" | "customer.deleted" | "product.created" | "product.updated" | "product.deleted";

export type Scope = "READ_BUDGETS" | "WRITE_BUDGETS" | "READ_CUSTOMERS" | "WRITE_CUSTOMERS" | "READ_PRODUCTS" | "WRITE_PRODUCTS" | "WEBHOOKS";

export interface WebhookMetadata {
  source: string;
  version: string;
  delivery_id: string;
  event_id: string | null;
  sequence: number | null;
  revision?: number | null;
  replay?: true;
}

/** The customer's acceptance, which waits for the minimum payment. */
export interface Acceptance {
  /** ISO 8601, in UTC. */
  acceptedAt: string;
  acceptedBy: string;
}

export interface Account {
  id: number;
  email: string;
  displayName: string;
  avatarUrl: string | null;
  businessId: number;
  role: "OWNER" | "ADMIN" | "MEMBER";
  emailVerified: boolean;
  /** INVITED: has not set a password yet. DISABLED: may not log in. */
  status: "ACTIVE" | "INVITED" | "DISABLED";
  /** True when logins need a code. */
  hasSecondFactor: boolean;
  /** ISO 8601, in UTC. */
  createdAt: string;
  /** When the user last logged in; null = never. */
  lastLoginAt: string | null;
  /** Sessions that are open now. */
  openSessions: number;
}

export interface ApiKey {
  id: string;
  name: string;
  description: string | null;
  scopes: Scope[];
  status: "ACTIVE" | "SUSPENDED" | "REVOKED";
  /** As set, or the maximum of the business's tier if that is lower. */
  rateLimitPerHour: number;
  /** Addresses and CIDR ranges; null = from anywhere. */
  allowedIps: string[] | null;
  /** ISO 8601, in UTC. */
  expiresAt: string | null;
  webhookUrl: string | null;
  /** How the key begins; all of it is shown when it is made. */
  keyPrefix: string;
  /** ISO 8601, in UTC. */
  createdAt: string;
  /** ISO 8601, in UTC. */
  updatedAt: string;
  /** ISO 8601, in UTC. */
  revokedAt: string | null;
  /** To the minute; null = never used. */
  lastUsedAt: string | null;
}

export interface Attachment {
  id: string;
  fileName: string;
  contentType: string;
  /** Bytes. */
  size: number;
  /** Of the bytes, in hexadecimal. */
  sha256: string;
  /** ISO 8601, in UTC. */
  createdAt: string;
  createdBy: string;
  /** The customer may download it. Absent = for the business alone. */
  shared?: true;
}

/** Amounts are in the currency's major unit. */
export interface Budget {
  id: string;
  /** For people, by the pattern of the business; absent = none. */
  number?: string;
  /** Grows by one with each write; the ETag names it. */
  version: number;
  /** Grows when what is offered changes. */
  revision: number;
  customerId: string;
  status: BudgetStatus;
  total: number;
  subtotal: number;
  tax: number;
  /** In place of a taxRate: the taxes with what each comes to; absent = one tax for all lines. */
  taxes?: BudgetTax[];
  /** The sum of the withholdings; absent = there are none. */
  withheld?: number;
  /** total − withheld; absent = there are no withholdings. */
  payable?: number;
  /** The discount as given, with the taxes that it contains; absent = prices contain no tax. */
  discountAmount?: number;
  /** What each later cycle costs; absent = no selected line recurs. The budget's discount is not in it. */
  recurring?: RecurringTotals[];
  /** The sum of the payments. */
  paid: number;
  /** A part of the total, or an amount; absent = none. */
  deposit?: Deposit;
  /** What must be paid before an acceptance counts; absent = there is no deposit. */
  minimumPaymentToConfirm?: number;
  /** What an acceptance waits for: the minimum less what is paid, 0 after the approval; absent = there is no deposit. */
  dueToConfirm?: number;
  /** What is payable less what is paid; absent = there is no deposit. */
  balance?: number;
  /** What the selected lines cost the business; absent = no line has a unitCost. */
  cost?: number;
  /** subtotal − discount − cost; absent = no line has a unitCost. */
  margin?: number;
  currency: string;
  /** Null = for ever. */
  validUntil: string | null;
  notes: string | null;
  /** Where its customer pays; absent = where the business says. */
  paymentUrl?: string;
  /** ISO 8601, in UTC. */
  createdAt: string;
  /** ISO 8601, in UTC. */
  updatedAt: string;
  /** Only on a deleted budget. */
  deletedAt?: string;
  /** Null = none waits for payments. */
  acceptance: Acceptance | null;
  customer: {
    id: string;
    name: string | null;
    email: string | null;
    phone?: string | null;
  };
  items: (BudgetItem | BudgetTextLine | BudgetSubtotal | BudgetChoice)[];
  /** Of its link; only in reads, absent = none. */
  views?: {
    /** All views, at most one by a kind of device in ten minutes. */
    count: number;
    /** ISO 8601, in UTC. */
    lastViewedAt: string;
  };
  /** What the caller may do with it in its state. */
  availableActions: string[];
  discount: number;
  /** Null: there are taxes, or the client gave the tax as an amount. */
  taxRate: number | null;
  /** The terms it was sent with, or its own; absent = those of the business. */
  terms?: string;
  metadata: Record<string, unknown>;
  /** `user:7`, `key:12`, `customer:Ana` or `system`. */
  createdBy: string;
  /** Null until it is approved. */
  approvedAt: string | null;
  approvedBy: string | null;
  publicOffer?: {
    sellerId: string;
    /** ISO 8601, in UTC. */
    issueDate: string;
    minimumPaymentToConfirm: number;
  };
}

export type BudgetChange = FieldChange | {
  kind: "item-removed";
  id: string;
  item: RevisionItem | TextLine | SubtotalLine | ChoiceLine;
} | {
  kind: "item-changed";
  id: string;
  fields: {
    field: "productId" | "variantId" | "packageId" | "description" | "quantity" | "unitPrice" | "unit" | "discountRate" | "discountAmount" | "taxes" | "optional" | "selected" | "choice" | "quantityRange" | "priceTiers" | "recurring" | "key" | "minimum" | "maximum" | "gross" | "total" | "discount" | "tax";
    before: string | number | null | boolean | unknown[] | Record<string, unknown>;
    after: string | number | null | boolean | unknown[] | Record<string, unknown>;
  }[];
} | {
  kind: "items-reordered";
  before: string[];
  after: string[];
} | {
  kind: "item-added";
  id: string;
  position: number;
  item: RevisionItem | TextLine | SubtotalLine | ChoiceLine;
};

export interface BudgetChangedData {
  /** Id of the budget. */
  id: string;
  /** Absent = the budget has none. */
  number?: string;
  /** Id of the customer. */
  customerId: string;
  /** In the currency's major unit, tax included. */
  total: number;
  /** An ISO 4217 code. */
  currency: string;
  /** After the event. */
  status: BudgetStatus;
  /** The budget's version after the write: each write adds one. */
  version: number;
  /** When the budget was created. */
  createdAt: string;
  /** `id`, `name` and `email`; name and email are null for a customer who is not in the catalog. */
  customer: {
    id: string;
    name: string | null;
    email: string | null;
  };
  /** Only in a replay: the budget as it was when the replay sent the event; null = deleted. */
  budget?: TruncatedBudget | ReplayedBudget | null;
  /** Names of what the event is about. */
  fields: string[];
  /** What the write changed; absent = more than 16 KiB. */
  changes?: BudgetChange[];
  /** True where `changes` would be too large: read the budget by its id. */
  truncated?: true;
}

/** A group of items of which the customer selects some: those that name its key. */
export interface BudgetChoice {
  id: string;
  kind: "choice";
  key: string;
  description: string;
  minimum: number;
  maximum: number;
}

export interface BudgetDeletion {
  id: string;
  status: "DELETED";
  /** ISO 8601, in UTC. */
  deletedAt: string;
}

/** Amounts are in the currency's major unit. */
export interface BudgetEntry {
  id: string;
  /** For people, by the pattern of the business; absent = none. */
  number?: string;
  /** Grows by one with each write; the ETag names it. */
  version: number;
  /** Grows when what is offered changes. */
  revision: number;
  customerId: string;
  status: BudgetStatus;
  total: number;
  subtotal: number;
  tax: number;
  /** In place of a taxRate: the taxes with what each comes to; absent = one tax for all lines. */
  taxes?: BudgetTax[];
  /** The sum of the withholdings; absent = there are none. */
  withheld?: number;
  /** total − withheld; absent = there are no withholdings. */
  payable?: number;
  /** The discount as given, with the taxes that it contains; absent = prices contain no tax. */
  discountAmount?: number;
  /** What each later cycle costs; absent = no selected line recurs. The budget's discount is not in it. */
  recurring?: RecurringTotals[];
  /** The sum of the payments. */
  paid: number;
  /** A part of the total, or an amount; absent = none. */
  deposit?: Deposit;
  /** What must be paid before an acceptance counts; absent = there is no deposit. */
  minimumPaymentToConfirm?: number;
  /** What an acceptance waits for: the minimum less what is paid, 0 after the approval; absent = there is no deposit. */
  dueToConfirm?: number;
  /** What is payable less what is paid; absent = there is no deposit. */
  balance?: number;
  /** What the selected lines cost the business; absent = no line has a unitCost. */
  cost?: number;
  /** subtotal − discount − cost; absent = no line has a unitCost. */
  margin?: number;
  currency: string;
  /** Null = for ever. */
  validUntil: string | null;
  notes: string | null;
  /** Where its customer pays; absent = where the business says. */
  paymentUrl?: string;
  /** ISO 8601, in UTC. */
  createdAt: string;
  /** ISO 8601, in UTC. */
  updatedAt: string;
  /** Only on a deleted budget. */
  deletedAt?: string;
  /** Null = none waits for payments. */
  acceptance: Acceptance | null;
  customer: CustomerSummary;
  items: (BudgetItem | BudgetTextLine | BudgetSubtotal | BudgetChoice)[];
  /** Of its link; only in reads, absent = none. */
  views?: {
    /** All views, at most one by a kind of device in ten minutes. */
    count: number;
    /** ISO 8601, in UTC. */
    lastViewedAt: string;
  };
  /** What the caller may do with it in its state. */
  availableActions: string[];
}

export interface BudgetEventData {
  /** Id of the budget. */
  id: string;
  /** Absent = the budget has none. */
  number?: string;
  /** Id of the customer. */
  customerId: string;
  /** In the currency's major unit, tax included. */
  total: number;
  /** An ISO 4217 code. */
  currency: string;
  /** After the event. */
  status: BudgetStatus;
  /** The budget's version after the write: each write adds one. */
  version: number;
  /** When the budget was created. */
  createdAt: string;
  /** `id`, `name` and `email`; name and email are null for a customer who is not in the catalog. */
  customer: {
    id: string;
    name: string | null;
    email: string | null;
  };
  /** Only in a replay: the budget as it was when the replay sent the event; null = deleted. */
  budget?: TruncatedBudget | ReplayedBudget | null;
}

/** Amounts are in the currency's major unit. */
export interface BudgetItem {
  id: string;
  /** Absent: a line without a kind is an item. */
  kind?: undefined;
  productId?: string;
  variantId?: string;
  packageId?: string;
  description: string;
  quantity: number;
  unitPrice: number;
  /** The unit of the quantity: hours, m². */
  unit?: string;
  /** Discount of this item: a fraction of quantity × unitPrice. */
  discountRate?: number;
  /** Discount of this item, in the currency's major unit. */
  discountAmount?: number;
  /** quantity × unitPrice less the item's own discount, with the taxes that the price contains; absent = it contains none. */
  gross?: number;
  /** Ids of the taxes of the line. Absent = all of the budget, empty = none. */
  taxes?: string[];
  /** True = it counts only if selected. */
  optional?: true;
  /** Whether an optional line, or an option of a choice, counts. Absent = it always does. */
  selected?: boolean;
  /** Key of the choice of which the line is an option. */
  choice?: string;
  /** The customer may set the quantity within it. */
  quantityRange?: {
    minimum: number;
    maximum: number;
    step: number;
  };
  /** The price of a unit by quantity; `unitPrice` is the one that applies. */
  priceTiers?: {
    from: number;
    unitPrice: number;
  }[];
  /** Charged again each cycle; absent = charged once. */
  recurring?: {
    interval: "week" | "month" | "year";
    intervalCount: number;
    cycles: number | null;
  };
  /** What a unit costs the business. Customers never see it. */
  unitCost?: number;
  total: number;
  tax: number;
  discount: number;
  product?: {
    id: string;
    name: string | null;
    sku: string | null;
  };
  /** What it held and cost when the item came to name it. */
  package?: PackageSnapshot;
}

export interface BudgetPreview {
  currency: string;
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
  /** In place of a taxRate: the taxes with what each comes to; absent = one tax for all lines. */
  taxes?: BudgetTax[];
  /** The sum of the withholdings; absent = there are none. */
  withheld?: number;
  /** total − withheld; absent = there are no withholdings. */
  payable?: number;
  /** The discount as given, with the taxes that it contains; absent = prices contain no tax. */
  discountAmount?: number;
  /** What each later cycle costs; absent = no selected line recurs. The budget's discount is not in it. */
  recurring?: RecurringTotals[];
  /** A part of the total, or an amount; absent = none. */
  deposit?: Deposit;
  /** What must be paid before an acceptance counts; absent = there is no deposit. */
  minimumPaymentToConfirm?: number;
  /** What the selected lines cost the business; absent = no line has a unitCost. */
  cost?: number;
  /** subtotal − discount − cost; absent = no line has a unitCost. */
  margin?: number;
  items: (PreviewItem | TextLine | SubtotalLine | ChoiceLine)[];
  trace: TraceStep[];
}

export interface BudgetResult {
  budgetId: string;
  /** `refused`: this budget is as it was. */
  status: "done" | "refused";
  /** Why it was refused: the business rule, else the error code; absent = done. */
  code?: string;
  /** The reason, for people to read; absent = done. */
  message?: string;
}

export interface BudgetResults {
  /** One for each budget, in the order of the request. */
  results: BudgetResult[];
}

/** The sum of the items' totals since the previous heading or subtotal. */
export interface BudgetSubtotal {
  id: string;
  kind: "subtotal";
  description?: string;
  total: number;
}

/** A tax with what it comes to. Amounts are in the currency's major unit. */
export interface BudgetTax {
  id: string;
  name: string;
  rate: number;
  /** A withholding lowers what is payable, not the total. */
  kind: "tax" | "withholding";
  /** True = the prices contain it. */
  inclusive: boolean;
  /** Ids of the taxes that its base contains besides the net amount. */
  on: string[];
  /** What it is on. */
  base: number;
  /** What it comes to. */
  amount: number;
}

/** A line without a price: a heading, or a text. */
export interface BudgetTextLine {
  id: string;
  kind: "heading" | "text";
  description: string;
}

export interface BudgetsSum {
  /** How many budgets. */
  count: number;
  /** The sum, in the currency's major unit. */
  value: number;
}

export interface Business {
  id: string;
  version: number;
  name: string;
  /** Set by the operator only. */
  tier: "STANDARD" | "PREMIUM" | "ENTERPRISE";
  timeZone: string;
  legalName: string | null;
  taxId: string | null;
  address: string | null;
  email: string | null;
  phone: string | null;
  website: string | null;
  accentColor: string | null;
  locale: string | null;
  currency: string | null;
  terms: string | null;
  paymentInstructions: string | null;
  footer: string | null;
  numberPattern: string | null;
  reminderDays: number[] | null;
  /** Which acts are notified by mail. */
  mails: MailSettings;
  /** True: users without a second factor may only enrol one. */
  requireSecondFactor: boolean;
  /** Shown on documents; absent = none. */
  logo?: Logo;
  /** Where customers pay; absent = none. */
  paymentUrl?: string;
  /** What previews of the customer's link name; absent = neither. */
  linkPreview?: LinkPreviewView;
  /** The taxes that budgets and products name by their ids; absent = none. */
  taxes?: NamedTax[];
  /** ISO 8601, in UTC. */
  createdAt: string;
}

export interface ChangeRequest {
  message: string;
  /** `customer:` and the name. */
  requestedBy: string;
  /** ISO 8601, in UTC. */
  requestedAt: string;
  /** The revision that the customer saw. */
  revision: number;
}

export interface ChangeRequestedData {
  /** Id of the budget. */
  id: string;
  /** Absent = the budget has none. */
  number?: string;
  /** Id of the customer. */
  customerId: string;
  /** In the currency's major unit, tax included. */
  total: number;
  /** An ISO 4217 code. */
  currency: string;
  /** After the event. */
  status: BudgetStatus;
  /** The budget's version after the write: each write adds one. */
  version: number;
  /** When the budget was created. */
  createdAt: string;
  /** `id`, `name` and `email`; name and email are null for a customer who is not in the catalog. */
  customer: {
    id: string;
    name: string | null;
    email: string | null;
  };
  /** Only in a replay: the budget as it was when the replay sent the event; null = deleted. */
  budget?: TruncatedBudget | ReplayedBudget | null;
  /** Names of what the event is about. */
  fields: string[];
  /** What the write changed; absent = more than 16 KiB. */
  changes?: BudgetChange[];
  /** True where `changes` would be too large: read the budget by its id. */
  truncated?: true;
  /** The customer's request. */
  changeRequest: ChangeRequest;
}

/** A group of items of which the customer selects some: those that name its key. */
export interface ChoiceLine {
  kind: "choice";
  key: string;
  description: string;
  minimum: number;
  maximum: number;
}

export interface CreateApiKey {
  name: string;
  description?: string | null | undefined;
  scopes: readonly Scope[];
  rateLimitPerHour?: number | undefined;
  allowedIps?: readonly string[] | null | undefined;
  /** A date-time of RFC 3339, or a plain date. Without an offset, in the time zone of the business. */
  expiresAt?: string | null | undefined;
  webhookUrl?: string | null | undefined;
  webhookSecret?: string | null | undefined;
}

export interface CreateBudget {
  /** Id of the customer, assigned by the service or by the host. Required unless `customer` is given. */
  customerId?: string | undefined;
  /** In place of `customerId`: the customer with this `id` or else this email, made with the budget if there is none. */
  customer?: InlineCustomer | null | undefined;
  items: readonly (CreateBudgetItem | CreateBudgetTextLine | CreateBudgetSubtotal | CreateBudgetChoice)[];
  notes?: string | null | undefined;
  /** A date-time of RFC 3339, or a plain date. Without an offset, in the time zone of the business. */
  validUntil?: string | null | undefined;
  /** An ISO 4217 code in upper case. Default: the currency of the business, else USD. */
  currency?: string | undefined;
  /** A fraction: 0.21 is 21 %. Default: the default taxes of the business, else 0. Not with taxes. */
  taxRate?: number | undefined;
  /** Several taxes, in place of a taxRate: contained in the prices or not, on each other, or withheld. */
  taxes?: readonly (string | TaxInput)[] | null | undefined;
  /** In the currency's major unit, with no more decimals than that has. Default: 0. */
  discountAmount?: number | undefined;
  deposit?: DepositInput | null | undefined;
  /** The terms of this budget. Default: those of the business when it is sent. */
  terms?: string | null | undefined;
  /** Where the customer pays, with https. Default: where the business says. */
  paymentUrl?: string | null | undefined;
  /** The client's own: at most 50 keys and 16384 bytes of JSON. Default: {}. */
  metadata?: Record<string, unknown> | undefined;
  /** Default: false. */
  draft?: boolean | undefined;
  /** In the currency's major unit, with no more decimals than that has. */
  subtotal?: number | undefined;
  /** In the currency's major unit, with no more decimals than that has. */
  tax?: number | undefined;
  /** In the currency's major unit, with no more decimals than that has. */
  total?: number | undefined;
}

/** A group of items of which the customer selects some: those that name its key. */
export interface CreateBudgetChoice {
  kind: "choice";
  description: string;
  /** Its options name it as their `choice`. */
  key: string;
  /** How many options are selected at least. Default 1. */
  minimum?: number | undefined;
  /** How many options are selected at most. Default 1. */
  maximum?: number | undefined;
  productId?: undefined;
  variantId?: undefined;
  packageId?: undefined;
  quantity?: undefined;
  unitPrice?: undefined;
  unit?: undefined;
  discountRate?: undefined;
  discountAmount?: undefined;
  taxes?: undefined;
  optional?: undefined;
  selected?: undefined;
  choice?: undefined;
  quantityRange?: undefined;
  priceTiers?: undefined;
  recurring?: undefined;
  unitCost?: undefined;
  total?: undefined;
}

/** One line of a budget; without productId it is a custom item. */
export interface CreateBudgetItem {
  kind?: "item" | undefined;
  productId?: string | null | undefined;
  variantId?: string | null | undefined;
  packageId?: string | null | undefined;
  description: string;
  /** At most 6 decimals. */
  quantity: number;
  /** In the currency's major unit, with at most 6 decimals. */
  unitPrice?: number | undefined;
  /** The unit of the quantity: hours, m². */
  unit?: string | null | undefined;
  /** A fraction of quantity × unitPrice: 0.1 is 10 %. Not with discountAmount. */
  discountRate?: number | null | undefined;
  /** In the currency's major unit. Not with discountRate. */
  discountAmount?: number | null | undefined;
  /** Ids of the taxes of the line. Absent = all of the budget, empty = none. */
  taxes?: readonly string[] | null | undefined;
  /** True = it counts only if selected. */
  optional?: boolean | null | undefined;
  /** Of an optional line or an option of a choice. Default false. */
  selected?: boolean | null | undefined;
  /** Key of the choice of which the line is an option. */
  choice?: string | null | undefined;
  quantityRange?: QuantityRange | null | undefined;
  /** The price of a unit by quantity: that of the highest `from` that the quantity reaches. */
  priceTiers?: readonly PriceTier[] | null | undefined;
  recurring?: Recurrence | null | undefined;
  /** What a unit costs the business. Customers never see it. */
  unitCost?: number | null | undefined;
  /** In the currency's major unit, with no more decimals than that has. */
  total?: number | undefined;
}

/** The sum of the items since the previous heading or subtotal. */
export interface CreateBudgetSubtotal {
  kind: "subtotal";
  description?: string | undefined;
  productId?: undefined;
  variantId?: undefined;
  packageId?: undefined;
  quantity?: undefined;
  unitPrice?: undefined;
  unit?: undefined;
  discountRate?: undefined;
  discountAmount?: undefined;
  taxes?: undefined;
  optional?: undefined;
  selected?: undefined;
  choice?: undefined;
  quantityRange?: undefined;
  priceTiers?: undefined;
  recurring?: undefined;
  unitCost?: undefined;
  /** In the currency's major unit, with no more decimals than that has. */
  total?: number | undefined;
}

/** A line without a price: a heading, or a text. */
export interface CreateBudgetTextLine {
  kind: "heading" | "text";
  description: string;
  productId?: undefined;
  variantId?: undefined;
  packageId?: undefined;
  quantity?: undefined;
  unitPrice?: undefined;
  unit?: undefined;
  discountRate?: undefined;
  discountAmount?: undefined;
  taxes?: undefined;
  optional?: undefined;
  selected?: undefined;
  choice?: undefined;
  quantityRange?: undefined;
  priceTiers?: undefined;
  recurring?: undefined;
  unitCost?: undefined;
  total?: undefined;
}

export interface CreateCustomer {
  name: string;
  /** An email address. It may have letters of every script. */
  email?: string | null | undefined;
  phone?: string | null | undefined;
  dni?: string | null | undefined;
  cuit?: string | null | undefined;
  taxCondition?: string | null | undefined;
  address?: string | null | undefined;
  externalId?: string | null | undefined;
  /** The client's own: at most 50 keys and 16384 bytes of JSON. */
  metadata?: Record<string, unknown> | undefined;
  id?: string | undefined;
}

export interface CreateIntegration {
  name: string;
  description?: string | null | undefined;
  status?: "ACTIVE" | "INACTIVE" | undefined;
  apiKeyId?: string | null | undefined;
  webhookIds?: readonly string[] | undefined;
  /** The client's own: at most 50 keys and 16384 bytes of JSON. */
  config?: Record<string, unknown> | undefined;
}

export interface CreatePackage {
  name: string;
  description?: string | null | undefined;
  /** In the currency's major unit, with no more decimals than that has. */
  price?: number | null | undefined;
  /** The unit of the quantity: hours, m². */
  unit?: string | null | undefined;
  /** Ids of named taxes of the business, for the lines. Empty = exempt, null = those of the budget. */
  taxes?: readonly string[] | null | undefined;
  recurring?: Recurrence | null | undefined;
  /** The price of a unit by quantity: that of the highest `from` that the quantity reaches. */
  priceTiers?: readonly PriceTier[] | null | undefined;
  /** What a unit costs the business. No event has it. null = none. */
  unitCost?: number | null | undefined;
  /** An ISO 4217 code in upper case. */
  currency?: string | undefined;
  active?: boolean | undefined;
  items: readonly PackageItemInput[];
  /** The client's own: at most 50 keys and 16384 bytes of JSON. */
  metadata?: Record<string, unknown> | undefined;
  id?: string | undefined;
}

export interface CreateProduct {
  name: string;
  sku?: string | null | undefined;
  description?: string | null | undefined;
  /** In the currency's major unit, with at most 6 decimals. */
  unitPrice?: number | null | undefined;
  /** The unit of the quantity: hours, m². */
  unit?: string | null | undefined;
  /** Ids of named taxes of the business, for the lines. Empty = exempt, null = those of the budget. */
  taxes?: readonly string[] | null | undefined;
  recurring?: Recurrence | null | undefined;
  /** The price of a unit by quantity: that of the highest `from` that the quantity reaches. */
  priceTiers?: readonly PriceTier[] | null | undefined;
  /** What a unit costs the business. No event has it. null = none. */
  unitCost?: number | null | undefined;
  /** An ISO 4217 code in upper case. */
  currency?: string | undefined;
  /** A fraction: 0.21 is 21 %. */
  taxRate?: number | null | undefined;
  active?: boolean | undefined;
  options?: readonly {
    name: string;
    values: readonly string[];
  }[] | undefined;
  variants?: readonly VariantInput[] | undefined;
  /** The client's own: at most 50 keys and 16384 bytes of JSON. */
  metadata?: Record<string, unknown> | undefined;
  id?: string | undefined;
}

export interface CreatePublicBudget {
  /** An ISO 4217 code in upper case. */
  currency: string;
  /** A date-time of RFC 3339, or a plain date. Without an offset, in the time zone of the business. */
  issueDate: string;
  /** A date-time of RFC 3339, or a plain date. Without an offset, in the time zone of the business. */
  expirationDate: string;
  /** Numeric id of the customer. Required unless `customer` is given. */
  customerId?: number | undefined;
  /** In place of `customerId`: the customer with this `id` or else this email, made with the budget if there is none. */
  customer?: InlineCustomer | null | undefined;
  sellerId: number;
  /** The business of the credential; any other is 403. */
  businessId?: number | null | undefined;
  /** In the currency's major unit, with no more decimals than that has. */
  minimumPaymentToConfirm: number;
  /** In the currency's major unit, with no more decimals than that has. */
  subtotal: number;
  /** In the currency's major unit, with no more decimals than that has. */
  total: number;
  /** In the currency's major unit, with no more decimals than that has. */
  iva: number;
  /** Several taxes, in place of a taxRate: contained in the prices or not, on each other, or withheld. */
  taxes?: readonly (string | TaxInput)[] | null | undefined;
  comments?: string | null | undefined;
  /** Where the customer pays, with https. Default: where the business says. */
  paymentUrl?: string | null | undefined;
  items: readonly {
    productId?: number | null | undefined;
    packageId?: number | null | undefined;
    /** At most 6 decimals. */
    quantity: number;
    /** In the currency's major unit, with at most 6 decimals. */
    unitPrice: number;
    /** The unit of the quantity: hours, m². */
    unit?: string | null | undefined;
    /** A fraction of quantity × unitPrice: 0.1 is 10 %. Not with discountAmount. */
    discountRate?: number | null | undefined;
    /** In the currency's major unit. Not with discountRate. */
    discountAmount?: number | null | undefined;
    /** Ids of the taxes of the line. Absent = all of the budget, empty = none. */
    taxes?: readonly string[] | null | undefined;
    /** True = it counts only if selected. */
    optional?: boolean | null | undefined;
    /** Of an optional line or an option of a choice. Default false. */
    selected?: boolean | null | undefined;
    /** Key of the choice of which the line is an option. */
    choice?: string | null | undefined;
    quantityRange?: QuantityRange | null | undefined;
    /** The price of a unit by quantity: that of the highest `from` that the quantity reaches. */
    priceTiers?: readonly PriceTier[] | null | undefined;
    recurring?: Recurrence | null | undefined;
    /** What a unit costs the business. Customers never see it. */
    unitCost?: number | null | undefined;
  }[];
}

export interface CreatePublicLink {
  /** True replaces the link there is, which then ends. Default: false. */
  rotate?: boolean | undefined;
}

export interface CreateWebhook {
  url: string;
  description?: string | null | undefined;
  /** Names and patterns such as `budget.*`. Null, and none at creation, is every event. */
  events?: readonly EventPattern[] | null | undefined;
  filter?: EventFilter | null | undefined;
  secret?: string | null | undefined;
  allowedIps?: readonly string[] | null | undefined;
  /** Null is 0, 60, 300, 1800, 7200 and 43200 seconds. */
  retryPolicy?: RetryPolicy | null | undefined;
  status?: "ACTIVE" | "DISABLED" | undefined;
  /** With subject, the events of one budget, customer or product come one after the other. Default: none. */
  ordering?: "none" | "subject" | undefined;
}

export interface CreatedApiKey {
  id: string;
  name: string;
  description: string | null;
  scopes: Scope[];
  status: "ACTIVE" | "SUSPENDED" | "REVOKED";
  /** As set, or the maximum of the business's tier if that is lower. */
  rateLimitPerHour: number;
  /** Addresses and CIDR ranges; null = from anywhere. */
  allowedIps: string[] | null;
  /** ISO 8601, in UTC. */
  expiresAt: string | null;
  webhookUrl: string | null;
  /** How the key begins; all of it is shown when it is made. */
  keyPrefix: string;
  /** ISO 8601, in UTC. */
  createdAt: string;
  /** ISO 8601, in UTC. */
  updatedAt: string;
  /** ISO 8601, in UTC. */
  revokedAt: string | null;
  /** To the minute; null = never used. */
  lastUsedAt: string | null;
  key: string;
  webhookSecret: string;
}

export interface CreatedWebhook {
  id: string;
  url: string;
  description: string | null;
  /** Null = every event. */
  events: EventPattern[] | null;
  filter?: EventFilter;
  status: "ACTIVE" | "DISABLED";
  /** Null = the service has not disabled it. */
  disabledReason: string | null;
  allowedIps: string[] | null;
  retryPolicy: RetryPolicy;
  /** Absent = none. */
  ordering?: "none" | "subject";
  /** Null = the last attempt succeeded, or none was made. */
  failingSince: string | null;
  /** ISO 8601, in UTC. */
  createdAt: string;
  /** ISO 8601, in UTC. */
  updatedAt: string;
  secret: string;
}

export interface CursorPagination {
  page: number;
  limit: number;
  total: number;
  totalPages: number;
  hasMore: boolean;
  /** For the next page; null on the last. */
  nextCursor: string | null;
  /** Only in a search: the count stopped early, so the list has at least total entries. */
  totalIsLowerBound?: true;
}

export interface Customer {
  id: string;
  /** Grows by one with each write; the ETag names it. */
  version: number;
  /** ISO 8601, in UTC. */
  createdAt: string;
  /** ISO 8601, in UTC. */
  updatedAt: string;
  /** Only on a deleted one, in a list. */
  deletedAt?: string;
  name: string;
  email: string | null;
  phone: string | null;
  dni: string | null;
  cuit: string | null;
  taxCondition: string | null;
  address: string | null;
  externalId: string | null;
  metadata: Record<string, unknown>;
}

export interface CustomerDifference {
  /** The former values of the changed fields. */
  previous: {
    id?: string;
    /** Grows by one with each write; the ETag names it. */
    version?: number;
    /** ISO 8601, in UTC. */
    createdAt?: string;
    /** ISO 8601, in UTC. */
    updatedAt?: string;
    /** Only on a deleted one, in a list. */
    deletedAt?: string;
    name?: string;
    email?: string | null;
    phone?: string | null;
    dni?: string | null;
    cuit?: string | null;
    taxCondition?: string | null;
    address?: string | null;
    externalId?: string | null;
    metadata?: Record<string, unknown>;
  };
  /** The changed fields before and after; absent = too large beside the record. */
  changes?: FieldChange[];
}

export interface CustomerSummary {
  id: string;
  name: string | null;
  email: string | null;
}

export interface Dashboard {
  period: "1h" | "24h" | "7d" | "30d" | "90d";
  /** Requests of all keys of the business in the period, as in the statistics of a key. */
  requests: {
    total: number;
    successful: number;
    errors: number;
    /** Milliseconds from the arrival of a request to its answer, on average; 0 without requests. */
    averageResponseTime: number;
  };
  apiKeys: {
    /** All keys as they are now, by status. */
    byStatus: {
      ACTIVE: number;
      SUSPENDED: number;
      REVOKED: number;
    };
    /** ACTIVE keys that expire within the next 7 days. */
    expiringSoon: number;
  };
  /** Deliveries created in the period, tests included, as they are now; finished ones are kept 30 days. */
  webhooks: {
    /** Delivered. */
    delivered: number;
    /** Failed for good. */
    failed: number;
    /** Not finished: pending or retrying. */
    pending: number;
    /** delivered of those delivered and failed, 0 to 1; null while there are none. */
    successRate: number | null;
  };
  /** All budgets of the business as they are now, whatever the period. */
  budgets: {
    /** How many budgets have each status. */
    byStatus: {
      DRAFT: number;
      PENDING: number;
      APPROVED: number;
      REJECTED: number;
      EXPIRED: number;
      COMPLETED: number;
      ARCHIVED: number;
      DELETED: number;
    };
    /** Totals of all budgets that are not DELETED, summed exactly for each currency. */
    valueByCurrency: Record<string, number>;
    /** APPROVED, COMPLETED and ARCHIVED budgets of these and the REJECTED and EXPIRED ones, 0 to 1; null without any. */
    conversionRate: number | null;
  };
  /** The ten most requested routes, the most requested first. */
  topEndpoints: {
    /** Pattern of the route, such as /api/public/budgets/{budgetId}. */
    endpoint: string;
    /** Of the route; a HEAD counts as the GET that it stands for. */
    method: string;
    /** Requests to this route in the period. */
    count: number;
  }[];
  /** Every day (UTC) that the period touches, in order, those without requests too; adds up to all requests. */
  dailyUsage: {
    /** A day in UTC. */
    date: string;
    /** Requests of that day that lie within the period. */
    requests: number;
    /** Those answered 400 or above. */
    errors: number;
    /** Milliseconds from the arrival of a request to its answer, on average; 0 without requests. */
    averageResponseTime: number;
  }[];
}

export interface DeletedEventData {
  /** Id of the record. */
  id: string;
  /** When it was deleted. */
  deletedAt: string;
}

export interface Delivery {
  id: string;
  event: EventType;
  /** Null = a test. */
  eventId: string | null;
  status: DeliveryStatus;
  attemptCount: number;
  /** ISO 8601, in UTC. */
  nextAttemptAt: string | null;
  responseCode: number | null;
  payload: Record<string, unknown>;
  /** ISO 8601, in UTC. */
  createdAt: string;
  /** ISO 8601, in UTC. */
  updatedAt: string;
  /** At most the last hundred. */
  attempts: DeliveryAttempt[];
}

export interface DeliveryAttempt {
  number: number;
  /** Null = unknown, as is the result: no process reported it in time. */
  startedAt: string | null;
  /** Null = unknown. */
  durationMs: number | null;
  /** Null = no answer came. */
  responseCode: number | null;
  responseBody: string | null;
  error: string | null;
}

/** What must be paid before an acceptance counts: a rate, or an amount. */
export interface Deposit {
  /** Part of the total: 0.3 is 30 %. */
  rate?: number;
  /** In the currency's major unit. */
  amount?: number;
}

/** What must be paid before an acceptance counts: a part of the total, or an amount. */
export interface DepositInput {
  /** Part of the total: 0.3 is 30 %. Not with amount. */
  rate?: number | undefined;
  /** In the currency's major unit, with no more decimals than that has. */
  amount?: number | undefined;
}

export interface EmailChange {
  password: string;
  /** An email address. It may have letters of every script. */
  email: string;
}

export interface BusinessEvent {
  id: string;
  /** 1, 2, 3 … in the order of the business's commits, without gaps. */
  sequence: number;
  /** 1, 2, 3 … in the order of the subject's changes, without gaps. */
  revision: number;
  event: EventType | "api_key.created" | "api_key.updated" | "api_key.regenerated" | "api_key.revoked" | "api_key.secret_read" | "api_key.secret_rotated" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.secret_read" | "webhook.secret_rotated" | "api_key.delivery_retried" | "api_key.deliveries_retried" | "webhook.delivery_retried" | "webhook.deliveries_retried" | "webhook.replay_started" | "webhook.replay_cancelled" | "business.created" | "business.updated" | "business.tier_changed" | "user.created" | "user.invited" | "user.updated" | "user.role_changed" | "user.disabled" | "user.enabled" | "user.removed" | "user.sessions_ended" | "user.password_changed" | "user.password_reset" | "user.reset_requested" | "user.email_changed" | "user.second_factor_enrolled" | "user.second_factor_enabled" | "user.second_factor_disabled" | "user.login_failed" | "user.login_refused" | "user.token_reused" | "user.logged_in" | "user.logged_out" | "user.recovery_code_used" | "user.login_link_issued" | "package.created" | "package.updated" | "package.deleted" | "integration.created" | "integration.updated" | "integration.deleted" | "mail.queued" | "reminders.stopped" | "reminders.resumed" | "public_link.read";
  /** ISO 8601, in UTC. */
  timestamp: string;
  /** `user:7`, `key:12`, `customer:Ana` or `system`; `anonymous` for a failed login. */
  actor: string;
  /** The budget, customer, product, key, webhook, user or business. */
  subjectId: string;
  /** The payload for subscribers. Of an audit entry: `address` of the client, and `changes` by field. */
  data: Record<string, unknown>;
  change: {
    fields: string[];
    from: string | null;
    to: string | null;
    reason: string | null;
  };
}

/** Conditions on the data of an event, which must meet each of them. */
export interface EventFilter {
  /** The event's is one of these. */
  status?: readonly BudgetStatus[] | undefined;
  /** The event's is one of these. */
  currency?: readonly string[] | undefined;
  /** The event's is one of these. */
  customerId?: readonly string[] | undefined;
  /** The event's total is at least this, in this currency. Amounts of other currencies are not compared. */
  minimumTotal?: {
    /** In the currency's major unit, with no more decimals than that has. */
    amount: number;
    /** An ISO 4217 code in upper case. */
    currency: string;
  } | undefined;
}

export type EventPattern = EventType | "budget.*" | "customer.*" | "product.*" | "*.created" | "*.updated" | "*.deleted";

/** A JWS in the flattened JSON form. Its keys are at /.well-known/jwks.json. */
export interface Evidence {
  /** Base64url of the canonical JSON: what was accepted, by whom, when and how. */
  payload: string;
  /** Base64url of the header: the algorithm, EdDSA, and the id of the key. */
  protected: string;
  signature: string;
}

export interface ExtendBudgets {
  /** Ids of 1 to 100 budgets, each once. */
  budgetIds: readonly string[];
  /** A date-time of RFC 3339, or a plain date. Without an offset, in the time zone of the business. */
  validUntil: string;
}

export interface FieldChange {
  kind: "field";
  /** Name of the field in a read of the record. */
  field: string;
  /** The value before; null = none. Amounts are in the currency's major unit. */
  before: unknown;
  /** The value after; null = none. */
  after: unknown;
}

export interface FilterTest {
  tested: number;
  matched: number;
  events: TestedEvent[];
}

export interface InlineCustomer {
  name: string;
  /** An email address. It may have letters of every script. */
  email?: string | null | undefined;
  phone?: string | null | undefined;
  dni?: string | null | undefined;
  cuit?: string | null | undefined;
  taxCondition?: string | null | undefined;
  address?: string | null | undefined;
  externalId?: string | null | undefined;
  /** The client's own: at most 50 keys and 16384 bytes of JSON. */
  metadata?: Record<string, unknown> | undefined;
  id?: string | undefined;
}

export interface Integration {
  id: string;
  name: string;
  description: string | null;
  status: "ACTIVE" | "INACTIVE";
  apiKeyId: string | null;
  webhookIds: string[];
  config: Record<string, unknown>;
  /** ISO 8601, in UTC. */
  createdAt: string;
  /** ISO 8601, in UTC. */
  updatedAt: string;
}

export interface Invitation {
  user: Account;
  /** For POST /auth/set-password. It works once. */
  token: string;
  /** Leads to the page on which the user sets a password. */
  link: string;
  /** ISO 8601, in UTC. */
  expiresAt: string;
}

export interface InviteUser {
  /** An email address. It may have letters of every script. */
  email: string;
  displayName: string;
  role: "OWNER" | "ADMIN" | "MEMBER";
}

export interface KeyStatistics {
  period: "1h" | "24h" | "7d" | "30d" | "90d";
  /** Requests that authenticated with the key, whatever they were answered. */
  totalRequests: number;
  /** Those answered below 400. */
  successfulRequests: number;
  /** Those answered 400 or above, refusals by the rate limit included. */
  errorRequests: number;
  /** Milliseconds from the arrival of a request to its answer, on average; 0 without requests. */
  averageResponseTime: number;
  /** The ten most requested routes, the most requested first. */
  topEndpoints: {
    /** Pattern of the route, such as /api/public/budgets/{budgetId}. */
    endpoint: string;
    /** Of the route; a HEAD counts as the GET that it stands for. */
    method: string;
    /** Requests to this route in the period. */
    count: number;
  }[];
  /** Every day (UTC) that the period touches, in order, those without requests too; adds up to all requests. */
  dailyUsage: {
    /** A day in UTC. */
    date: string;
    /** Requests of that day that lie within the period. */
    requests: number;
    /** Those answered 400 or above. */
    errors: number;
    /** Milliseconds from the arrival of a request to its answer, on average; 0 without requests. */
    averageResponseTime: number;
  }[];
  rateLimitStats: {
    /** Requests that the limit's sliding hour counts now. */
    currentUsage: number;
    /** The key's rateLimitPerHour, as it is now, or the maximum of the tier if that is lower. */
    limit: number;
    /** currentUsage of limit, in percent; above 100 after the limit was lowered. */
    percentage: number;
    /** Requests that counted against the limit in the busiest hour (UTC) of the period. */
    peakUsage: number;
    /** When that hour begins, or the period within it; of equal hours the latest. */
    peakTime: string;
    /** Requests in the period that the rate limit refused. */
    rateLimitHits: number;
    /** totalRequests by the hours of the period: 168 for 7d. */
    averageRequestsPerHour: number;
  };
}

/** A JWS in the flattened JSON form. Its keys are at /.well-known/jwks.json. */
export interface LedgerCheckpoint {
  /** Base64url of the canonical JSON: the last entry, by its sequence and hash, the first entry of the chain, and the time. */
  payload: string;
  /** Base64url of the header: the algorithm, EdDSA, and the id of the key. */
  protected: string;
  signature: string;
}

export interface LinkPreview {
  /** Default: false. */
  showsName?: boolean | undefined;
  /** Default: false. */
  showsTotal?: boolean | undefined;
}

export interface LinkPreviewView {
  showsName: boolean;
  showsTotal: boolean;
}

export interface LinkView {
  /** ISO 8601, in UTC. */
  viewedAt: string;
  /** The kind of device, as its browser names itself. */
  device: "phone" | "tablet" | "computer" | "unknown";
}

export interface LinkViews {
  /** All views, at most one by a kind of device in ten minutes. */
  count: number;
  /** ISO 8601, in UTC. */
  first: string;
  /** ISO 8601, in UTC. */
  last: string;
  /** By channel: the `c` of the link. */
  byChannel: Record<string, number>;
}

export interface Login {
  email: string;
  password: string;
  /** A code of the user's generator, where one is enrolled. */
  totp?: string | undefined;
  /** In place of `totp`. Each works once. */
  recoveryCode?: string | undefined;
}

export interface LoginAnswer {
  access_token: string;
  token_type: "Bearer";
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
  user: LoginUser;
}

export interface Logo {
  contentType: "image/png" | "image/jpeg" | "image/svg+xml";
  /** Bytes. */
  size: number;
  /** Of the bytes, in hexadecimal. */
  sha256: string;
}

export interface Mail {
  id: string;
  budgetId: string;
  /** `budget` was sent by a caller; `reminder` by time, before the end of the validity; the others by an act, to the side that they name. */
  kind: "budget" | "reminder" | "customer.accepted" | "customer.newVersion" | "customer.message" | "seller.viewed" | "seller.accepted" | "seller.declined" | "seller.asked" | "seller.expiring" | "seller.endpointDisabled";
  to: string;
  lang: "en" | "es" | "pt" | "de" | "fr" | "it" | "nl" | "ja" | "ar" | "he" | null;
  message: string | null;
  /** `cancelled`: the budget no longer waits for an answer, its link was replaced, or a later mail has the same. */
  status: "queued" | "sent" | "failed" | "cancelled";
  attempts: number;
  /** ISO 8601, in UTC. */
  nextAttemptAt: string | null;
  /** ISO 8601, in UTC. */
  sentAt: string | null;
  error: string | null;
  /** ISO 8601, in UTC. */
  createdAt: string;
  createdBy: string;
  /** Of a mail that was just queued: characters that its PDF cannot show; absent = it shows all. */
  undrawable?: string[];
}

export interface MailSettings {
  customer: {
    /** After the customer's own acceptance, with the PDF. Default true. */
    accepted: boolean;
    /** After a change of an offer that was mailed or opened. Default true. */
    newVersion: boolean;
    /** After a message of the business. Default true. */
    message: boolean;
  };
  seller: {
    /** When the customer opens the offer for the first time. Default false. */
    viewed: boolean;
    /** When the customer accepts. Default true. */
    accepted: boolean;
    /** When the customer declines. Default true. */
    declined: boolean;
    /** When the customer asks for a change, or writes. Default true. */
    asked: boolean;
    /** Two days before the end of an offer without an answer. Default true. */
    expiring: boolean;
    /** When a webhook endpoint is disabled after failures. Default true. */
    endpointDisabled: boolean;
  };
}

export interface Message {
  id: string;
  kind: "message" | "changeRequest";
  from: "customer" | "business";
  /** The customer's own name, or the name of the business; null = not known. */
  name: string | null;
  /** Plain text. */
  message: string;
  /** ISO 8601, in UTC. */
  sentAt: string;
  budgetId: string;
  /** `user:7`, `key:12`, `customer:` and the name, or `system`. */
  sentBy: string;
}

export interface MessageSentData {
  /** Id of the budget. */
  id: string;
  /** Absent = the budget has none. */
  number?: string;
  /** Id of the customer. */
  customerId: string;
  /** In the currency's major unit, tax included. */
  total: number;
  /** An ISO 4217 code. */
  currency: string;
  /** After the event. */
  status: BudgetStatus;
  /** The budget's version after the write: each write adds one. */
  version: number;
  /** When the budget was created. */
  createdAt: string;
  /** `id`, `name` and `email`; name and email are null for a customer who is not in the catalog. */
  customer: {
    id: string;
    name: string | null;
    email: string | null;
  };
  /** Only in a replay: the budget as it was when the replay sent the event; null = deleted. */
  budget?: TruncatedBudget | ReplayedBudget | null;
  /** The whole message, as the list of messages has it. */
  message: Message;
}

export interface NamedTax {
  id: string;
  name: string;
  rate: number;
  kind: "tax" | "withholding";
  inclusive: boolean;
  on: string[];
  default: boolean;
}

export interface NamedTaxInput {
  /** 1 to 40 letters, digits and . _ - by which lines and other taxes name it. */
  id: string;
  /** For people: IVA, VAT, USt. Default: the id. */
  name?: string | undefined;
  /** A fraction: 0.21 is 21 %. */
  rate: number;
  /** A withholding lowers what is payable, not the total. Default: "tax". */
  kind?: "tax" | "withholding" | undefined;
  /** True = the prices contain it. Default: false. */
  inclusive?: boolean | undefined;
  /** Ids of the taxes that its base contains besides the net amount. Default: []. */
  on?: readonly string[] | undefined;
  /** True = budgets that are created without taxes and without a taxRate have it. Default false. Default: false. */
  default?: boolean | undefined;
}

export interface NewPassword {
  token: string;
  /** At least 12 characters, and not one of the common passwords (422). */
  password: string;
}

/** The account of the caller. The other fields are null with a login of the host. */
export interface OwnAccount {
  /** A number, or the text by which a login of the host knows its user. */
  id: number | string;
  businessId: number;
  role: "OWNER" | "ADMIN" | "MEMBER";
  /** True: the business demands a second factor that you lack, and refuses everything but its enrolment. */
  secondFactorRequired: boolean;
  email: string | null;
  displayName: string | null;
  avatarUrl: string | null;
  emailVerified: boolean | null;
  status: "ACTIVE" | "INVITED" | "DISABLED" | null;
  hasSecondFactor: boolean | null;
  /** ISO 8601, in UTC. */
  createdAt: string | null;
  /** ISO 8601, in UTC. */
  lastLoginAt: string | null;
  openSessions: number | null;
}

export interface Package {
  id: string;
  /** Grows by one with each write; the ETag names it. */
  version: number;
  /** ISO 8601, in UTC. */
  createdAt: string;
  /** ISO 8601, in UTC. */
  updatedAt: string;
  /** Only on a deleted one, in a list. */
  deletedAt?: string;
  name: string;
  description: string | null;
  price: number | null;
  /** The price, else the sum of the items; null = no such sum. */
  effectivePrice: number | null;
  /** The unit of the quantity; absent = none. */
  unit?: string;
  /** Ids of named taxes of the business. Empty = exempt, absent = those of the budget. */
  taxes?: string[];
  /** Charged again each cycle; absent = once. */
  recurring?: {
    interval: "week" | "month" | "year";
    intervalCount: number;
    cycles: number | null;
  };
  /** The price of a unit by quantity; absent = one price. */
  priceTiers?: {
    from: number;
    unitPrice: number;
  }[];
  /** What a unit costs the business; absent = not known. No event has it. */
  unitCost?: number;
  currency: string;
  active: boolean;
  items: {
    productId: string;
    variantId: string | null;
    quantity: number;
  }[];
  metadata: Record<string, unknown>;
}

export interface PackageItemInput {
  productId: string;
  /** Default: null. */
  variantId?: string | null | undefined;
  /** At most 6 decimals. */
  quantity: number;
}

export interface PackageSnapshot {
  id: string;
  name: string;
  price: number | null;
  currency: string;
  items: {
    productId: string;
    variantId: string | null;
    name: string | null;
    sku: string | null;
    unitPrice: number | null;
    quantity: number;
  }[];
}

export interface Pagination {
  page: number;
  limit: number;
  total: number;
  totalPages: number;
  hasMore: boolean;
}

export interface PasswordChange {
  currentPassword: string;
  /** At least 12 characters, and not one of the common passwords (422). */
  newPassword: string;
}

export interface PasswordResetRequest {
  email: string;
}

export interface Payment {
  id: string;
  budgetId: string;
  reference: string;
  amount: number;
  currency: string;
  /** ISO 8601, in UTC. */
  paidAt: string;
  /** ISO 8601, in UTC. */
  createdAt: string;
  createdBy: string;
}

export interface PreviewBudget {
  customerId?: string | null | undefined;
  /** In place of `customerId`: the customer with this `id` or else this email, made with the budget if there is none. */
  customer?: InlineCustomer | null | undefined;
  items: readonly (CreateBudgetItem | CreateBudgetTextLine | CreateBudgetSubtotal | CreateBudgetChoice)[];
  notes?: string | null | undefined;
  /** A date-time of RFC 3339, or a plain date. Without an offset, in the time zone of the business. */
  validUntil?: string | null | undefined;
  /** An ISO 4217 code in upper case. Default: the currency of the business, else USD. */
  currency?: string | undefined;
  /** A fraction: 0.21 is 21 %. Default: the default taxes of the business, else 0. Not with taxes. */
  taxRate?: number | undefined;
  /** Several taxes, in place of a taxRate: contained in the prices or not, on each other, or withheld. */
  taxes?: readonly (string | TaxInput)[] | null | undefined;
  /** In the currency's major unit, with no more decimals than that has. Default: 0. */
  discountAmount?: number | undefined;
  deposit?: DepositInput | null | undefined;
  /** The terms of this budget. Default: those of the business when it is sent. */
  terms?: string | null | undefined;
  /** Where the customer pays, with https. Default: where the business says. */
  paymentUrl?: string | null | undefined;
  /** The client's own: at most 50 keys and 16384 bytes of JSON. Default: {}. */
  metadata?: Record<string, unknown> | undefined;
  /** Default: false. */
  draft?: boolean | undefined;
  /** In the currency's major unit, with no more decimals than that has. */
  subtotal?: number | undefined;
  /** In the currency's major unit, with no more decimals than that has. */
  tax?: number | undefined;
  /** In the currency's major unit, with no more decimals than that has. */
  total?: number | undefined;
}

export interface PreviewDocument {
  customerId?: string | null | undefined;
  /** In place of `customerId`: the customer with this `id` or else this email, made with the budget if there is none. */
  customer?: InlineCustomer | null | undefined;
  items: readonly (UnsavedItem | UnsavedTextLine | UnsavedSubtotal | UnsavedChoice)[];
  notes?: string | null | undefined;
  /** A date-time of RFC 3339, or a plain date. Without an offset, in the time zone of the business. */
  validUntil?: string | null | undefined;
  /** An ISO 4217 code in upper case. Default: the currency of the business, else USD. */
  currency?: string | undefined;
  /** A fraction: 0.21 is 21 %. Default: the default taxes of the business, else 0. Not with taxes. */
  taxRate?: number | undefined;
  /** Several taxes, in place of a taxRate: contained in the prices or not, on each other, or withheld. */
  taxes?: readonly (string | TaxInput)[] | null | undefined;
  /** In the currency's major unit, with no more decimals than that has. Default: 0. */
  discountAmount?: number | undefined;
  deposit?: DepositInput | null | undefined;
  /** The terms of this budget. Default: those of the business when it is sent. */
  terms?: string | null | undefined;
  /** Where the customer pays, with https. Default: where the business says. */
  paymentUrl?: string | null | undefined;
  /** The client's own: at most 50 keys and 16384 bytes of JSON. Default: {}. */
  metadata?: Record<string, unknown> | undefined;
  /** Default: false. */
  draft?: boolean | undefined;
  /** In the currency's major unit, with no more decimals than that has. */
  subtotal?: number | undefined;
  /** In the currency's major unit, with no more decimals than that has. */
  tax?: number | undefined;
  /** In the currency's major unit, with no more decimals than that has. */
  total?: number | undefined;
  /** The budget whose number, messages and versions it continues; its content is replaced. Needs READ_BUDGETS. */
  budgetId?: string | null | undefined;
  /** Of the mail: a text above the button. */
  message?: string | null | undefined;
}

export interface PreviewItem {
  /** Absent: a line without a kind is an item. */
  kind?: undefined;
  description: string;
  quantity: number;
  unitPrice: number;
  /** The unit of the quantity: hours, m². */
  unit?: string;
  /** Discount of this item: a fraction of quantity × unitPrice. */
  discountRate?: number;
  /** Discount of this item, in the currency's major unit. */
  discountAmount?: number;
  /** quantity × unitPrice less the item's own discount, with the taxes that the price contains; absent = it contains none. */
  gross?: number;
  /** Ids of the taxes of the line. Absent = all of the budget, empty = none. */
  taxes?: string[];
  /** True = it counts only if selected. */
  optional?: true;
  /** Whether an optional line, or an option of a choice, counts. Absent = it always does. */
  selected?: boolean;
  /** Key of the choice of which the line is an option. */
  choice?: string;
  /** The customer may set the quantity within it. */
  quantityRange?: {
    minimum: number;
    maximum: number;
    step: number;
  };
  /** The price of a unit by quantity; `unitPrice` is the one that applies. */
  priceTiers?: {
    from: number;
    unitPrice: number;
  }[];
  /** Charged again each cycle; absent = charged once. */
  recurring?: {
    interval: "week" | "month" | "year";
    intervalCount: number;
    cycles: number | null;
  };
  /** What a unit costs the business. Customers never see it. */
  unitCost?: number;
  total: number;
  discount: number;
  tax: number;
}

export interface PriceTier {
  /** The quantity from which the price applies, with at most 6 decimals. */
  from: number;
  /** In the currency's major unit, with at most 6 decimals. */
  unitPrice: number;
}

export interface Product {
  id: string;
  /** Grows by one with each write; the ETag names it. */
  version: number;
  /** ISO 8601, in UTC. */
  createdAt: string;
  /** ISO 8601, in UTC. */
  updatedAt: string;
  /** Only on a deleted one, in a list. */
  deletedAt?: string;
  name: string;
  sku: string | null;
  description: string | null;
  unitPrice: number | null;
  /** The unit of the quantity; absent = none. */
  unit?: string;
  /** Ids of named taxes of the business. Empty = exempt, absent = those of the budget. */
  taxes?: string[];
  /** Charged again each cycle; absent = once. */
  recurring?: {
    interval: "week" | "month" | "year";
    intervalCount: number;
    cycles: number | null;
  };
  /** The price of a unit by quantity; absent = one price. */
  priceTiers?: {
    from: number;
    unitPrice: number;
  }[];
  /** What a unit costs the business; absent = not known. No event has it. */
  unitCost?: number;
  currency: string;
  taxRate: number | null;
  active: boolean;
  options: {
    name: string;
    values: string[];
  }[];
  variants: {
    id: string;
    name: string;
    sku: string | null;
    options: Record<string, string>;
    unitPrice: number | null;
    /** The price of a unit by quantity; absent = one price. */
    priceTiers?: {
      from: number;
      unitPrice: number;
    }[];
    /** What a unit costs the business; absent = not known. No event has it. */
    unitCost?: number;
    active: boolean;
  }[];
  metadata: Record<string, unknown>;
}

export interface ProductDifference {
  /** The former values of the changed fields. */
  previous: {
    id?: string;
    /** Grows by one with each write; the ETag names it. */
    version?: number;
    /** ISO 8601, in UTC. */
    createdAt?: string;
    /** ISO 8601, in UTC. */
    updatedAt?: string;
    /** Only on a deleted one, in a list. */
    deletedAt?: string;
    name?: string;
    sku?: string | null;
    description?: string | null;
    unitPrice?: number | null;
    /** The unit of the quantity; absent = none. */
    unit?: string;
    /** Ids of named taxes of the business. Empty = exempt, absent = those of the budget. */
    taxes?: string[];
    /** Charged again each cycle; absent = once. */
    recurring?: {
      interval: "week" | "month" | "year";
      intervalCount: number;
      cycles: number | null;
    };
    /** The price of a unit by quantity; absent = one price. */
    priceTiers?: {
      from: number;
      unitPrice: number;
    }[];
    /** What a unit costs the business; absent = not known. No event has it. */
    unitCost?: number;
    currency?: string;
    taxRate?: number | null;
    active?: boolean;
    options?: {
      name: string;
      values: string[];
    }[];
    variants?: {
      id: string;
      name: string;
      sku: string | null;
      options: Record<string, string>;
      unitPrice: number | null;
      /** The price of a unit by quantity; absent = one price. */
      priceTiers?: {
        from: number;
        unitPrice: number;
      }[];
      /** What a unit costs the business; absent = not known. No event has it. */
      unitCost?: number;
      active: boolean;
    }[];
    metadata?: Record<string, unknown>;
  };
  /** The changed fields before and after; absent = too large beside the record. */
  changes?: FieldChange[];
}

export interface PublicAnswer {
  /** The version that was shown: 409 if it has changed since. */
  version: number;
  /** Default: "customer". */
  name?: string | undefined;
  reason?: string | null | undefined;
  /** The hash that was shown: 409 if the offer has changed since. */
  hash?: string | undefined;
  /** A drawn signature: the path of an SVG of 600 by 200, such as `M 10 20 L 30 40`. */
  signature?: string | undefined;
  /** What the customer sets of the offer, with an acceptance. A line that it does not name stays as it is. A form has the fields `offered.{itemId}`, `selected.{itemId}`, `choice.{key}` and `quantity.{itemId}` instead. */
  selection?: readonly SelectedItem[] | undefined;
  /** The total of the selection that was shown, with an acceptance: 409 if it is another. */
  total?: number | undefined;
  /** Of the service's own page, if the customer answered there. */
  language?: string | undefined;
}

export interface PublicBudget {
  id: string;
  number?: string;
  version: number;
  revision: number;
  /** SHA-256 of what is offered, as canonical JSON. An answer may name it beside the version. */
  hash: string;
  status: BudgetStatus;
  currency: string;
  subtotal: number;
  discount: number;
  tax: number;
  /** Null: there are taxes, or the tax was given as an amount. */
  taxRate: number | null;
  /** In place of a taxRate: the taxes with what each comes to; absent = one tax for all lines. */
  taxes?: BudgetTax[];
  /** The sum of the withholdings; absent = there are none. */
  withheld?: number;
  /** total − withheld; absent = there are no withholdings. */
  payable?: number;
  /** The discount as given, with the taxes that it contains; absent = prices contain no tax. */
  discountAmount?: number;
  /** What each later cycle costs; absent = no selected line recurs. The budget's discount is not in it. */
  recurring?: RecurringTotals[];
  total: number;
  /** Half to the even unit. Of an offer that the customer can set alone; absent = half up. */
  rounding?: "half-even";
  notes: string | null;
  /** ISO 8601, in UTC. */
  validUntil: string | null;
  /** ISO 8601, in UTC. */
  issueDate: string;
  minimumPaymentToConfirm: number | null;
  paid: number;
  /** A part of the total, or an amount; absent = none. */
  deposit?: Deposit;
  /** What is payable less what is paid; absent = there is no deposit. */
  balance?: number;
  /** What an acceptance waits for; null = nothing is to be confirmed. */
  dueToConfirm: number | null;
  /** Null = none waits for payments. */
  acceptance: Acceptance | null;
  /** The acceptance that confirmed the budget; null = none has. */
  approval: Acceptance | null;
  business: {
    name: string | null;
    /** The time zone of the dates of the page. */
    timeZone: string;
    legalName: string | null;
    taxId: string | null;
    address: string | null;
    email: string | null;
    phone: string | null;
    website: string | null;
    accentColor: string | null;
    locale: string | null;
    terms: string | null;
    paymentInstructions: string | null;
    footer: string | null;
    /** The image at `logo` below the link; absent = none. */
    logo?: Logo;
    /** What previews of the link name; absent = neither. */
    linkPreview?: LinkPreviewView;
  };
  customer: {
    name: string | null;
    /** Postal address; absent = not known. */
    address?: string;
    /** Number of the tax authority; absent = not known. */
    taxId?: string;
  };
  items: (PublicItem | TextLine | SubtotalLine | ChoiceLine)[];
  availableActions: ("accept" | "decline" | "requestChange")[];
  /** The customer's last request for a change, until a new revision answers it; absent = none is open. */
  changeRequest?: {
    message: string;
    requestedBy: string;
    /** ISO 8601, in UTC. */
    requestedAt: string;
  };
  /** That the offer was declined; absent = it is not, or nothing more is known. */
  declined?: {
    /** ISO 8601, in UTC. */
    declinedAt: string;
    /** `customer:` and the name, or `business`. */
    declinedBy: string;
    /** Why, in the customer's words; absent = they gave none. */
    reason?: string;
  };
  /** Files to download, at `attachments/{id}` below the link; absent = none. */
  attachments?: {
    id: string;
    fileName: string;
    contentType: string;
    size: number;
    sha256: string;
  }[];
  /** The customer's drawn signature as the path of an SVG of 600 by 200; absent = none. */
  signature?: string;
  /** The last messages of both sides, with the requests for changes, oldest first; absent = none. */
  messages?: PublicMessage[];
  /** What differs from the revision that the customer could see before; absent = nothing. */
  revised?: {
    from: number;
    to: number;
    /** ISO 8601, in UTC. */
    at: string;
    /** The new total less the one before, in the currency's major unit. */
    total: number;
    lines: RevisedLine[];
  };
  /** What was accepted before the offer was reopened or revised; absent = nothing. */
  acceptedBefore?: {
    revision: number;
    total: number;
    currency: string;
    /** ISO 8601, in UTC. */
    acceptedAt: string;
    /** `customer:` and the name, or `business`. */
    acceptedBy: string;
  };
  /** Where to pay: of the budget, or else of the business; absent = none. No part of what is offered. */
  paymentUrl?: string;
  publicUrl: string;
  /** The evidence of the customer's acceptance. Absent without one. */
  evidenceUrl?: string;
}

export interface PublicCreation {
  success: true;
  message: string;
  publicUrl: string;
  budgetId: number;
  publicToken: string;
}

export interface PublicItem {
  /** Absent: a line without a kind is an item. */
  kind?: undefined;
  /** A selection names it; absent = the customer has nothing to set of it. */
  id?: string;
  description: string;
  quantity: number;
  unitPrice: number;
  /** The unit of the quantity: hours, m². */
  unit?: string;
  /** Discount of this item: a fraction of quantity × unitPrice. */
  discountRate?: number;
  /** Discount of this item, in the currency's major unit. */
  discountAmount?: number;
  /** quantity × unitPrice less the item's own discount, with the taxes that the price contains; absent = it contains none. */
  gross?: number;
  /** Ids of the taxes of the line. Absent = all of the budget, empty = none. */
  taxes?: string[];
  /** True = it counts only if selected. */
  optional?: true;
  /** Whether an optional line, or an option of a choice, counts. Absent = it always does. */
  selected?: boolean;
  /** Key of the choice of which the line is an option. */
  choice?: string;
  /** The customer may set the quantity within it. */
  quantityRange?: {
    minimum: number;
    maximum: number;
    step: number;
  };
  /** The price of a unit by quantity; `unitPrice` is the one that applies. */
  priceTiers?: {
    from: number;
    unitPrice: number;
  }[];
  /** Charged again each cycle; absent = charged once. */
  recurring?: {
    interval: "week" | "month" | "year";
    intervalCount: number;
    cycles: number | null;
  };
  total: number;
}

export interface PublicLink {
  publicUrl: string;
  publicToken: string;
  /** Views of the page; absent = none yet. */
  views?: LinkViews;
}

export interface PublicMessage {
  id: string;
  kind: "message" | "changeRequest";
  from: "customer" | "business";
  /** The customer's own name, or the name of the business; null = not known. */
  name: string | null;
  /** Plain text. */
  message: string;
  /** ISO 8601, in UTC. */
  sentAt: string;
}

export interface PublicPreview {
  /** What the customer sets of the offer. A line that it does not name stays as it is. A form has the fields `offered.{itemId}`, `selected.{itemId}`, `choice.{key}` and `quantity.{itemId}` instead. */
  selection: readonly SelectedItem[];
}

/** The customer may set the quantity within it. */
export interface QuantityRange {
  /** The smallest quantity, with at most 6 decimals. */
  minimum: number;
  /** The largest quantity: the minimum and a whole number of steps. */
  maximum: number;
  /** The distance of two quantities, with at most 6 decimals. */
  step: number;
}

export interface RecordDeletion {
  id: string;
  status: "DELETED";
  /** ISO 8601, in UTC. */
  deletedAt: string;
}

export interface RecordPayment {
  /** In the currency's major unit, with no more decimals than that has. */
  amount: number;
  reference: string;
  /** A date-time of RFC 3339, or a plain date. Without an offset, in the time zone of the business. */
  paidAt?: string | null | undefined;
}

export interface RecoveryCodes {
  /** Each logs in once in place of a code. Shown once. */
  recoveryCodes: string[];
}

/** Charged again each cycle. The first cycle is in the figures of the budget. */
export interface Recurrence {
  /** The unit of a cycle. */
  interval: "week" | "month" | "year";
  /** How many of them a cycle has. Default: 1. */
  intervalCount?: number | undefined;
  /** Cycles in all, with the first; null = until ended. Default: null. */
  cycles?: number | null | undefined;
}

/** What each later cycle costs, in the currency's major unit. */
export interface RecurringTotals {
  interval: "week" | "month" | "year";
  intervalCount: number;
  /** Cycles in all, with the first; null = until ended. */
  cycles: number | null;
  subtotal: number;
  tax: number;
  total: number;
}

export interface RegeneratedApiKey {
  id: string;
  name: string;
  description: string | null;
  scopes: Scope[];
  status: "ACTIVE" | "SUSPENDED" | "REVOKED";
  /** As set, or the maximum of the business's tier if that is lower. */
  rateLimitPerHour: number;
  /** Addresses and CIDR ranges; null = from anywhere. */
  allowedIps: string[] | null;
  /** ISO 8601, in UTC. */
  expiresAt: string | null;
  webhookUrl: string | null;
  /** How the key begins; all of it is shown when it is made. */
  keyPrefix: string;
  /** ISO 8601, in UTC. */
  createdAt: string;
  /** ISO 8601, in UTC. */
  updatedAt: string;
  /** ISO 8601, in UTC. */
  revokedAt: string | null;
  /** To the minute; null = never used. */
  lastUsedAt: string | null;
  key: string;
}

export interface RemindBudgets {
  /** Ids of 1 to 100 budgets, each once. */
  budgetIds: readonly string[];
  /** A text above the button of each mail. */
  message?: string | null | undefined;
}

export interface Reminders {
  /** True: the customer gets no reminders of this business. */
  remindersOff: boolean;
  /** True: this link, with its `mail`, lets them come again: of the mail by which they were ended, or of a mail to the customer after an end by the link alone. */
  resumable: boolean;
  business: string | null;
  locale: string | null;
  accentColor: string | null;
}

export interface ReopenBudget {
  reason: string;
  /** A date-time of RFC 3339, or a plain date. Without an offset, in the time zone of the business. */
  validUntil?: string | null | undefined;
}

export interface ReplayedBudget {
  id: string;
  /** For people, by the pattern of the business; absent = none. */
  number?: string;
  /** Grows by one with each write; the ETag names it. */
  version: number;
  /** Grows when what is offered changes. */
  revision: number;
  customerId: string;
  status: BudgetStatus;
  total: number;
  subtotal: number;
  tax: number;
  /** In place of a taxRate: the taxes with what each comes to; absent = one tax for all lines. */
  taxes?: BudgetTax[];
  /** The sum of the withholdings; absent = there are none. */
  withheld?: number;
  /** total − withheld; absent = there are no withholdings. */
  payable?: number;
  /** The discount as given, with the taxes that it contains; absent = prices contain no tax. */
  discountAmount?: number;
  /** What each later cycle costs; absent = no selected line recurs. The budget's discount is not in it. */
  recurring?: RecurringTotals[];
  /** The sum of the payments. */
  paid: number;
  /** A part of the total, or an amount; absent = none. */
  deposit?: Deposit;
  /** What must be paid before an acceptance counts; absent = there is no deposit. */
  minimumPaymentToConfirm?: number;
  /** What an acceptance waits for: the minimum less what is paid, 0 after the approval; absent = there is no deposit. */
  dueToConfirm?: number;
  /** What is payable less what is paid; absent = there is no deposit. */
  balance?: number;
  currency: string;
  /** Null = for ever. */
  validUntil: string | null;
  notes: string | null;
  /** Where its customer pays; absent = where the business says. */
  paymentUrl?: string;
  /** ISO 8601, in UTC. */
  createdAt: string;
  /** ISO 8601, in UTC. */
  updatedAt: string;
  /** Only on a deleted budget. */
  deletedAt?: string;
  /** Null = none waits for payments. */
  acceptance: Acceptance | null;
  customer: {
    id: string;
    name: string | null;
    email: string | null;
    phone?: string | null;
  };
  items: (BudgetItem | BudgetTextLine | BudgetSubtotal | BudgetChoice)[];
  /** Of its link; only in reads, absent = none. */
  views?: {
    /** All views, at most one by a kind of device in ten minutes. */
    count: number;
    /** ISO 8601, in UTC. */
    lastViewedAt: string;
  };
  discount: number;
  /** Null: there are taxes, or the client gave the tax as an amount. */
  taxRate: number | null;
  /** The terms it was sent with, or its own; absent = those of the business. */
  terms?: string;
  metadata: Record<string, unknown>;
  /** `user:7`, `key:12`, `customer:Ana` or `system`. */
  createdBy: string;
  /** Null until it is approved. */
  approvedAt: string | null;
  approvedBy: string | null;
  publicOffer?: {
    sellerId: string;
    /** ISO 8601, in UTC. */
    issueDate: string;
    minimumPaymentToConfirm: number;
  };
}

export interface RequestChange {
  /** The version that was shown: 409 if it has changed since. */
  version: number;
  /** Who asks. Default: "customer". */
  name?: string | undefined;
  /** The change, in the customer's words. */
  message: string;
}

/** Seconds from one attempt to the next, one entry an attempt. */
export interface RetryPolicy {
  delaysSeconds: readonly number[];
}

export interface RevisedLine {
  change: "added" | "removed" | "changed";
  description: string;
  /** Before and after; absent = as before. */
  quantity?: [number, number];
  /** Before and after, in the currency's major unit; absent = as before. */
  unitPrice?: [number, number];
}

export interface Revision {
  id: string;
  /** For people, by the pattern of the business; absent = none. */
  number?: string;
  /** Grows by one with each write; the ETag names it. */
  version: number;
  /** Grows when what is offered changes. */
  revision: number;
  customerId: string;
  status: BudgetStatus;
  total: number;
  subtotal: number;
  tax: number;
  /** In place of a taxRate: the taxes with what each comes to; absent = one tax for all lines. */
  taxes?: BudgetTax[];
  /** The sum of the withholdings; absent = there are none. */
  withheld?: number;
  /** total − withheld; absent = there are no withholdings. */
  payable?: number;
  /** The discount as given, with the taxes that it contains; absent = prices contain no tax. */
  discountAmount?: number;
  /** What each later cycle costs; absent = no selected line recurs. The budget's discount is not in it. */
  recurring?: RecurringTotals[];
  /** The sum of the payments. */
  paid: number;
  /** A part of the total, or an amount; absent = none. */
  deposit?: Deposit;
  /** What must be paid before an acceptance counts; absent = there is no deposit. */
  minimumPaymentToConfirm?: number;
  /** What an acceptance waits for: the minimum less what is paid, 0 after the approval; absent = there is no deposit. */
  dueToConfirm?: number;
  /** What is payable less what is paid; absent = there is no deposit. */
  balance?: number;
  /** What the selected lines cost the business; absent = no line has a unitCost. */
  cost?: number;
  /** subtotal − discount − cost; absent = no line has a unitCost. */
  margin?: number;
  currency: string;
  /** Null = for ever. */
  validUntil: string | null;
  notes: string | null;
  /** Where its customer pays; absent = where the business says. */
  paymentUrl?: string;
  /** ISO 8601, in UTC. */
  createdAt: string;
  /** ISO 8601, in UTC. */
  updatedAt: string;
  /** Only on a deleted budget. */
  deletedAt?: string;
  /** Null = none waits for payments. */
  acceptance: Acceptance | null;
  customer: {
    id: string;
    name: string | null;
    email: string | null;
    phone?: string | null;
  };
  items: (BudgetItem | BudgetTextLine | BudgetSubtotal | BudgetChoice)[];
  /** Of its link; only in reads, absent = none. */
  views?: {
    /** All views, at most one by a kind of device in ten minutes. */
    count: number;
    /** ISO 8601, in UTC. */
    lastViewedAt: string;
  };
  discount: number;
  /** Null: there are taxes, or the client gave the tax as an amount. */
  taxRate: number | null;
  /** The terms it was sent with, or its own; absent = those of the business. */
  terms?: string;
  metadata: Record<string, unknown>;
  /** `user:7`, `key:12`, `customer:Ana` or `system`. */
  createdBy: string;
  /** Null until it is approved. */
  approvedAt: string | null;
  approvedBy: string | null;
  publicOffer?: {
    sellerId: string;
    /** ISO 8601, in UTC. */
    issueDate: string;
    minimumPaymentToConfirm: number;
  };
  /** ISO 8601, in UTC. */
  revisedAt: string;
  revisedBy: string;
  changes: string[];
}

export type RevisionChange = {
  kind: "field";
  field: "taxRate" | "taxes" | "deposit" | "validUntil" | "notes" | "terms" | "paymentUrl" | "subtotal" | "discount" | "tax" | "total" | "withheld" | "payable" | "recurring";
  before: string | number | null | boolean | unknown[] | Record<string, unknown>;
  after: string | number | null | boolean | unknown[] | Record<string, unknown>;
} | {
  kind: "item-removed";
  id: string;
  item: RevisionItem | TextLine | SubtotalLine | ChoiceLine;
} | {
  kind: "item-changed";
  id: string;
  fields: {
    field: "productId" | "variantId" | "packageId" | "description" | "quantity" | "unitPrice" | "unit" | "discountRate" | "discountAmount" | "taxes" | "optional" | "selected" | "choice" | "quantityRange" | "priceTiers" | "recurring" | "key" | "minimum" | "maximum" | "gross" | "total" | "discount" | "tax";
    before: string | number | null | boolean | unknown[] | Record<string, unknown>;
    after: string | number | null | boolean | unknown[] | Record<string, unknown>;
  }[];
} | {
  kind: "items-reordered";
  before: string[];
  after: string[];
} | {
  kind: "item-added";
  id: string;
  position: number;
  item: RevisionItem | TextLine | SubtotalLine | ChoiceLine;
};

export interface RevisionDifference {
  from: number;
  to: number;
  changes: RevisionChange[];
}

export interface RevisionEntry {
  revision: number;
  version: number;
  status: BudgetStatus;
  currency: string;
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
  /** ISO 8601, in UTC. */
  revisedAt: string;
  revisedBy: string;
  changes: string[];
}

export interface RevisionItem {
  /** Absent: a line without a kind is an item. */
  kind?: undefined;
  productId?: string;
  variantId?: string;
  packageId?: string;
  description: string;
  quantity: number;
  unitPrice: number;
  /** The unit of the quantity: hours, m². */
  unit?: string;
  /** Discount of this item: a fraction of quantity × unitPrice. */
  discountRate?: number;
  /** Discount of this item, in the currency's major unit. */
  discountAmount?: number;
  /** quantity × unitPrice less the item's own discount, with the taxes that the price contains; absent = it contains none. */
  gross?: number;
  /** Ids of the taxes of the line. Absent = all of the budget, empty = none. */
  taxes?: string[];
  /** True = it counts only if selected. */
  optional?: true;
  /** Whether an optional line, or an option of a choice, counts. Absent = it always does. */
  selected?: boolean;
  /** Key of the choice of which the line is an option. */
  choice?: string;
  /** The customer may set the quantity within it. */
  quantityRange?: {
    minimum: number;
    maximum: number;
    step: number;
  };
  /** The price of a unit by quantity; `unitPrice` is the one that applies. */
  priceTiers?: {
    from: number;
    unitPrice: number;
  }[];
  /** Charged again each cycle; absent = charged once. */
  recurring?: {
    interval: "week" | "month" | "year";
    intervalCount: number;
    cycles: number | null;
  };
  total: number;
  discount: number;
  tax: number;
}

export interface RevokedApiKey {
  id: string;
  status: "REVOKED";
  /** ISO 8601, in UTC. */
  revokedAt: string;
}

export interface Sales {
  /** The time zone of the business, in which its weeks begin. */
  timeZone: string;
  /** The weeks of the period, the oldest first, those without budgets too. */
  weeks: {
    /** The Monday on which the week begins. */
    week: string;
    /** The budgets that were sent in the week, by currency and by what became of them. */
    byCurrency: Record<string, {
      /** APPROVED, COMPLETED or ARCHIVED. */
      won: BudgetsSum;
      /** PENDING. */
      waiting: BudgetsSum;
      /** REJECTED or EXPIRED. */
      lost: BudgetsSum;
      /** All of them. */
      sent: BudgetsSum;
    }>;
  }[];
  /** All PENDING budgets, by currency, whenever they were sent. */
  waiting: Record<string, BudgetsSum>;
  /** The budgets sent in the period that were won, by currency. */
  won: Record<string, BudgetsSum>;
  /** Of the budgets sent in the period. */
  conversion: {
    /** won of answered, 0 to 1; null without any. */
    rate: number | null;
    /** Won and lost budgets. */
    answered: number;
    /** Won budgets. */
    won: number;
    /** The rate of as many weeks before the period; null without any. */
    previousRate: number | null;
  };
  /** What is payable and not paid of all won budgets, by currency; of those with a balance alone. */
  toCollect: Record<string, BudgetsSum>;
  /** PENDING budgets whose acceptance waits for a deposit. */
  depositsDue: number;
  /** PENDING budgets that expire within the next 7 days. */
  expiringSoon: number;
}

export interface SelectedItem {
  /** Id of the line, as the offer has it. */
  itemId: string;
  /** Of an optional line or an option of a choice. */
  selected?: boolean | undefined;
  /** Within the quantityRange of the line. */
  quantity?: number | undefined;
}

export interface SendBudget {
  /** The recipient. Default: the customer's email. */
  to?: string | null | undefined;
  /** A text above the button. */
  message?: string | null | undefined;
  /** The language of the mail. Default: that of the business. */
  lang?: "en" | "es" | "pt" | "de" | "fr" | "it" | "nl" | "ja" | "ar" | "he" | null | undefined;
}

export interface SendMessage {
  /** Plain text. */
  message: string;
}

export interface SendPublicMessage {
  /** Who writes. */
  name: string;
  /** Plain text. */
  message: string;
}

export interface ShareAttachment {
  /** Whether the customer may download the file on the page of the link. */
  shared: boolean;
}

/** The sum of the items' totals since the previous heading or subtotal. */
export interface SubtotalLine {
  kind: "subtotal";
  description?: string;
  total: number;
}

export interface TaxInput {
  /** 1 to 40 letters, digits and . _ - by which lines and other taxes name it. */
  id: string;
  /** For people: IVA, VAT, USt. Default: the id. */
  name?: string | undefined;
  /** A fraction: 0.21 is 21 %. */
  rate: number;
  /** A withholding lowers what is payable, not the total. Default: "tax". */
  kind?: "tax" | "withholding" | undefined;
  /** True = the prices contain it. Default: false. */
  inclusive?: boolean | undefined;
  /** Ids of the taxes that its base contains besides the net amount. Default: []. */
  on?: readonly string[] | undefined;
}

export interface TestedEvent {
  id: string;
  sequence: number;
  event: EventType;
  /** ISO 8601, in UTC. */
  timestamp: string;
  subjectId: string;
  matches: boolean;
  /** Why not; empty when it matches. */
  reasons: {
    condition: "events" | "status" | "currency" | "customerId" | "minimumTotal";
    message: string;
  }[];
}

/** A line without a price: a heading, or a text. */
export interface TextLine {
  kind: "heading" | "text";
  description: string;
}

export interface TotpConfirmation {
  code: string;
}

export interface TotpEnrolment {
  password: string;
}

export interface TotpRemoval {
  password: string;
  /** A code of the generator, or a recovery code. */
  code: string;
}

export interface TotpSecret {
  /** Base32, to type into an authenticator app. */
  secret: string;
  /** An otpauth:// URL, to show as a QR code. */
  url: string;
}

export type TraceStep = {
  step: "line";
  item: number;
  quantity: string;
  unitPrice: string;
  exact: string;
  rounded: string;
  rule: "half-up" | "half-even";
} | {
  step: "not-selected";
  item: number;
} | {
  step: "item-discount";
  item: number;
  gross: string;
  discountRate?: string;
  exact?: string;
  rule?: "half-up" | "half-even";
  discount: string;
  total: string;
} | {
  step: "given";
  field: string;
  computed: string;
  given: string;
} | {
  step: "section";
  item: number;
  total: string;
} | {
  step: "subtotal";
  subtotal: string;
} | {
  step: "taxable";
  subtotal: string;
  discount: string;
  taxable: string;
} | {
  step: "contained-tax";
  items: number[];
  /** Ids of the taxes that the prices of these items contain. */
  taxes: string[];
  /** What the discount leaves of these items' amounts. */
  gross: string;
  /** Of these taxes together. */
  taxRate: string;
  /** gross × taxRate ÷ (1 + taxRate), in whole minor units and a fraction of one: 12 + 3/7. */
  exact: string;
  rounded: string;
  rule: "half-up" | "half-even";
  /** gross − rounded. */
  net: string;
  /** Of the taxes, by largest remainder. */
  shares: string[];
  /** Of the budget's discount, what these items got. */
  discount: string;
  /** The same without the taxes that it contains. */
  netDiscount: string;
} | {
  step: "tax";
  /** Id of the tax; absent = the one tax of the budget. */
  tax?: string;
  taxable: string;
  taxRate: string;
  exact: string;
  rounded: string;
  rule: "half-up" | "half-even";
} | {
  step: "withheld";
  total: string;
  withheld: string;
  payable: string;
} | {
  step: "total";
  taxable: string;
  tax: string;
  total: string;
} | {
  step: "spread";
  of: "discount" | "tax";
  /** Id of the tax; absent = the one tax of the budget. */
  tax?: string;
  amount: string;
  /** Of the weights; at 0 the first item takes everything. */
  sum: string;
  rule: "largest-remainder";
  shares: {
    item: number;
    /** The item's total; for the tax, what its discount leaves of it. */
    weight: string;
    /** amount × weight ÷ sum, in whole minor units and a fraction of one: 12 + 3/7. */
    exact: string;
    roundedDown: string;
    /** Its fraction was among the largest: it gets one of the minor units left over. */
    extraUnit: boolean;
    share: string;
  }[];
} | {
  step: "recurring";
  items: number[];
  interval: "week" | "month" | "year";
  intervalCount: number;
  cycles: number | null;
  subtotal: string;
  tax: string;
  total: string;
} | {
  step: "deposit";
  total: string;
  rate?: string;
  exact?: string;
  rule?: "half-up" | "half-even";
  deposit: string;
} | {
  step: "cost";
  item: number;
  quantity: string;
  unitCost: string;
  exact: string;
  rounded: string;
  rule: "half-up" | "half-even";
} | {
  step: "margin";
  net: string;
  cost: string;
  margin: string;
};

export interface TruncatedBudget {
  id: string;
  version: number;
  /** The budget is more than 64 KiB: read it by its id. */
  truncated: true;
}

/** Replaces a record of more than 16 KiB; `fields` lists the changed fields. */
export interface TruncatedEventData {
  /** Id of the record. */
  id: string;
  /** For people to read. */
  name: string;
  /** The record is more than 16 KiB: read it by its id. */
  truncated: true;
  /** Changed fields; empty for a new record. */
  fields: string[];
}

export interface UnsavedChoice {
  kind: "choice";
  description: string;
  /** Its options name it as their `choice`. */
  key: string;
  /** How many options are selected at least. Default 1. */
  minimum?: number | undefined;
  /** How many options are selected at most. Default 1. */
  maximum?: number | undefined;
  productId?: undefined;
  variantId?: undefined;
  packageId?: undefined;
  quantity?: undefined;
  unitPrice?: undefined;
  unit?: undefined;
  discountRate?: undefined;
  discountAmount?: undefined;
  taxes?: undefined;
  optional?: undefined;
  selected?: undefined;
  choice?: undefined;
  quantityRange?: undefined;
  priceTiers?: undefined;
  recurring?: undefined;
  unitCost?: undefined;
  total?: undefined;
  /** Id of a line of the budget that is continued; absent = new. */
  id?: string | undefined;
}

export interface UnsavedItem {
  kind?: "item" | undefined;
  productId?: string | null | undefined;
  variantId?: string | null | undefined;
  packageId?: string | null | undefined;
  description: string;
  /** At most 6 decimals. */
  quantity: number;
  /** In the currency's major unit, with at most 6 decimals. */
  unitPrice?: number | undefined;
  /** The unit of the quantity: hours, m². */
  unit?: string | null | undefined;
  /** A fraction of quantity × unitPrice: 0.1 is 10 %. Not with discountAmount. */
  discountRate?: number | null | undefined;
  /** In the currency's major unit. Not with discountRate. */
  discountAmount?: number | null | undefined;
  /** Ids of the taxes of the line. Absent = all of the budget, empty = none. */
  taxes?: readonly string[] | null | undefined;
  /** True = it counts only if selected. */
  optional?: boolean | null | undefined;
  /** Of an optional line or an option of a choice. Default false. */
  selected?: boolean | null | undefined;
  /** Key of the choice of which the line is an option. */
  choice?: string | null | undefined;
  quantityRange?: QuantityRange | null | undefined;
  /** The price of a unit by quantity: that of the highest `from` that the quantity reaches. */
  priceTiers?: readonly PriceTier[] | null | undefined;
  recurring?: Recurrence | null | undefined;
  /** What a unit costs the business. Customers never see it. */
  unitCost?: number | null | undefined;
  /** In the currency's major unit, with no more decimals than that has. */
  total?: number | undefined;
  /** Id of a line of the budget that is continued; absent = new. */
  id?: string | undefined;
}

export interface UnsavedSubtotal {
  kind: "subtotal";
  description?: string | undefined;
  productId?: undefined;
  variantId?: undefined;
  packageId?: undefined;
  quantity?: undefined;
  unitPrice?: undefined;
  unit?: undefined;
  discountRate?: undefined;
  discountAmount?: undefined;
  taxes?: undefined;
  optional?: undefined;
  selected?: undefined;
  choice?: undefined;
  quantityRange?: undefined;
  priceTiers?: undefined;
  recurring?: undefined;
  unitCost?: undefined;
  /** In the currency's major unit, with no more decimals than that has. */
  total?: number | undefined;
  /** Id of a line of the budget that is continued; absent = new. */
  id?: string | undefined;
}

export interface UnsavedTextLine {
  kind: "heading" | "text";
  description: string;
  productId?: undefined;
  variantId?: undefined;
  packageId?: undefined;
  quantity?: undefined;
  unitPrice?: undefined;
  unit?: undefined;
  discountRate?: undefined;
  discountAmount?: undefined;
  taxes?: undefined;
  optional?: undefined;
  selected?: undefined;
  choice?: undefined;
  quantityRange?: undefined;
  priceTiers?: undefined;
  recurring?: undefined;
  unitCost?: undefined;
  total?: undefined;
  /** Id of a line of the budget that is continued; absent = new. */
  id?: string | undefined;
}

export interface UpdateApiKey {
  name?: string | undefined;
  description?: string | null | undefined;
  scopes?: readonly Scope[] | undefined;
  status?: "ACTIVE" | "SUSPENDED" | "REVOKED" | undefined;
  rateLimitPerHour?: number | undefined;
  allowedIps?: readonly string[] | null | undefined;
  /** A date-time of RFC 3339, or a plain date. Without an offset, in the time zone of the business. */
  expiresAt?: string | null | undefined;
  webhookUrl?: string | null | undefined;
  webhookSecret?: string | null | undefined;
}

export interface UpdateBudget {
  status?: "PENDING" | "APPROVED" | "REJECTED" | "EXPIRED" | undefined;
  notes?: string | null | undefined;
  /** A date-time of RFC 3339, or a plain date. Without an offset, in the time zone of the business. */
  validUntil?: string | null | undefined;
  items?: readonly UpdateBudgetItem[] | undefined;
  /** A fraction: 0.21 is 21 %. */
  taxRate?: number | undefined;
  /** Several taxes, in place of a taxRate: contained in the prices or not, on each other, or withheld. */
  taxes?: readonly (string | TaxInput)[] | undefined;
  /** In the currency's major unit, with no more decimals than that has. */
  discountAmount?: number | undefined;
  deposit?: DepositInput | null | undefined;
  /** The terms of this budget; null = those of the business. */
  terms?: string | null | undefined;
  /** Where the customer pays, with https; null = where the business says. It may change after an answer, too. */
  paymentUrl?: string | null | undefined;
  /** The client's own: at most 50 keys and 16384 bytes of JSON. */
  metadata?: Record<string, unknown> | undefined;
}

export interface UpdateBudgetItem {
  id?: string | undefined;
  kind?: "item" | "heading" | "text" | "subtotal" | "choice" | undefined;
  productId?: string | null | undefined;
  variantId?: string | null | undefined;
  packageId?: string | null | undefined;
  description?: string | undefined;
  /** At most 6 decimals. */
  quantity?: number | undefined;
  /** In the currency's major unit, with at most 6 decimals. */
  unitPrice?: number | undefined;
  /** The unit of the quantity: hours, m². */
  unit?: string | null | undefined;
  /** A fraction of quantity × unitPrice: 0.1 is 10 %. Not with discountAmount. */
  discountRate?: number | null | undefined;
  /** In the currency's major unit. Not with discountRate. */
  discountAmount?: number | null | undefined;
  /** Ids of the taxes of the line. Absent = all of the budget, empty = none. */
  taxes?: readonly string[] | null | undefined;
  /** True = it counts only if selected. */
  optional?: boolean | null | undefined;
  /** Of an optional line or an option of a choice. Default false. */
  selected?: boolean | null | undefined;
  /** Key of the choice of which the line is an option. */
  choice?: string | null | undefined;
  quantityRange?: QuantityRange | null | undefined;
  /** The price of a unit by quantity: that of the highest `from` that the quantity reaches. */
  priceTiers?: readonly PriceTier[] | null | undefined;
  recurring?: Recurrence | null | undefined;
  /** What a unit costs the business. Customers never see it. */
  unitCost?: number | null | undefined;
  /** Its options name it as their `choice`. */
  key?: string | undefined;
  /** How many options are selected at least. Default 1. */
  minimum?: number | undefined;
  /** How many options are selected at most. Default 1. */
  maximum?: number | undefined;
}

export interface UpdateBusiness {
  name?: string | undefined;
  /** An IANA time zone. Plain dates are read in it. */
  timeZone?: string | undefined;
  /** The registered name. */
  legalName?: string | null | undefined;
  /** The number of the tax authority, such as a CUIT or VAT number. */
  taxId?: string | null | undefined;
  /** The postal address; it may have several lines. */
  address?: string | null | undefined;
  /** For questions of customers. */
  email?: string | null | undefined;
  phone?: string | null | undefined;
  website?: string | null | undefined;
  /** The color of the business's documents: # and six hexadecimal digits. */
  accentColor?: string | null | undefined;
  /** A BCP 47 language tag: the language and the number format of the business's documents. */
  locale?: string | null | undefined;
  /** The ISO 4217 code of new budgets that name no currency; USD without one. */
  currency?: string | null | undefined;
  /** The terms that stand below every budget. */
  terms?: string | null | undefined;
  /** How to pay: shown to the customer after the acceptance. */
  paymentInstructions?: string | null | undefined;
  /** The last lines of every document. */
  footer?: string | null | undefined;
  /** How many days before the end of its validity a mailed budget has a reminder, such as [7, 1]. */
  reminderDays?: readonly number[] | null | undefined;
  /** How budgets are numbered when they are sent, such as Q-{year}-{seq:4}; null = they have no numbers. */
  numberPattern?: string | null | undefined;
  /** Where customers pay, with https. A budget may have its own. */
  paymentUrl?: string | null | undefined;
  /** What previews of the customer's link name in their title; null = neither. */
  linkPreview?: LinkPreview | null | undefined;
  /** Which acts are notified by mail. An absent setting stays; null = the defaults. */
  mails?: {
    customer?: {
      /** After the customer's own acceptance, with the PDF. Default true. */
      accepted?: boolean | undefined;
      /** After a change of an offer that was mailed or opened. Default true. */
      newVersion?: boolean | undefined;
      /** After a message of the business. Default true. */
      message?: boolean | undefined;
    } | undefined;
    seller?: {
      /** When the customer opens the offer for the first time. Default false. */
      viewed?: boolean | undefined;
      /** When the customer accepts. Default true. */
      accepted?: boolean | undefined;
      /** When the customer declines. Default true. */
      declined?: boolean | undefined;
      /** When the customer asks for a change, or writes. Default true. */
      asked?: boolean | undefined;
      /** Two days before the end of an offer without an answer. Default true. */
      expiring?: boolean | undefined;
      /** When a webhook endpoint is disabled after failures. Default true. */
      endpointDisabled?: boolean | undefined;
    } | undefined;
  } | null | undefined;
  /** The taxes that budgets and products name by their ids. Replaces the former list; null or [] = none. */
  taxes?: readonly NamedTaxInput[] | null | undefined;
  /** True: users without a second factor may only enrol one. Only an OWNER who has one turns it on. */
  requireSecondFactor?: boolean | undefined;
}

export interface UpdateCustomer {
  name?: string | undefined;
  /** An email address. It may have letters of every script. */
  email?: string | null | undefined;
  phone?: string | null | undefined;
  dni?: string | null | undefined;
  cuit?: string | null | undefined;
  taxCondition?: string | null | undefined;
  address?: string | null | undefined;
  externalId?: string | null | undefined;
  /** The client's own: at most 50 keys and 16384 bytes of JSON. */
  metadata?: Record<string, unknown> | undefined;
}

export interface UpdateIntegration {
  name?: string | undefined;
  description?: string | null | undefined;
  status?: "ACTIVE" | "INACTIVE" | undefined;
  apiKeyId?: string | null | undefined;
  webhookIds?: readonly string[] | undefined;
  /** The client's own: at most 50 keys and 16384 bytes of JSON. */
  config?: Record<string, unknown> | undefined;
}

export interface UpdatePackage {
  name?: string | undefined;
  description?: string | null | undefined;
  /** In the currency's major unit, with no more decimals than that has. */
  price?: number | null | undefined;
  /** The unit of the quantity: hours, m². */
  unit?: string | null | undefined;
  /** Ids of named taxes of the business, for the lines. Empty = exempt, null = those of the budget. */
  taxes?: readonly string[] | null | undefined;
  recurring?: Recurrence | null | undefined;
  /** The price of a unit by quantity: that of the highest `from` that the quantity reaches. */
  priceTiers?: readonly PriceTier[] | null | undefined;
  /** What a unit costs the business. No event has it. null = none. */
  unitCost?: number | null | undefined;
  /** An ISO 4217 code in upper case. */
  currency?: string | undefined;
  active?: boolean | undefined;
  items?: readonly PackageItemInput[] | undefined;
  /** The client's own: at most 50 keys and 16384 bytes of JSON. */
  metadata?: Record<string, unknown> | undefined;
}

export interface UpdateProduct {
  name?: string | undefined;
  sku?: string | null | undefined;
  description?: string | null | undefined;
  /** In the currency's major unit, with at most 6 decimals. */
  unitPrice?: number | null | undefined;
  /** The unit of the quantity: hours, m². */
  unit?: string | null | undefined;
  /** Ids of named taxes of the business, for the lines. Empty = exempt, null = those of the budget. */
  taxes?: readonly string[] | null | undefined;
  recurring?: Recurrence | null | undefined;
  /** The price of a unit by quantity: that of the highest `from` that the quantity reaches. */
  priceTiers?: readonly PriceTier[] | null | undefined;
  /** What a unit costs the business. No event has it. null = none. */
  unitCost?: number | null | undefined;
  /** An ISO 4217 code in upper case. */
  currency?: string | undefined;
  /** A fraction: 0.21 is 21 %. */
  taxRate?: number | null | undefined;
  active?: boolean | undefined;
  options?: readonly {
    name: string;
    values: readonly string[];
  }[] | undefined;
  variants?: readonly VariantInput[] | undefined;
  /** The client's own: at most 50 keys and 16384 bytes of JSON. */
  metadata?: Record<string, unknown> | undefined;
}

export interface UpdateUser {
  displayName?: string | undefined;
  role?: "OWNER" | "ADMIN" | "MEMBER" | undefined;
  /** True refuses the user's logins, and their sessions end at once. */
  disabled?: boolean | undefined;
}

export interface UpdateWebhook {
  url?: string | undefined;
  description?: string | null | undefined;
  /** Names and patterns such as `budget.*`. Null, and none at creation, is every event. */
  events?: readonly EventPattern[] | null | undefined;
  filter?: EventFilter | null | undefined;
  secret?: string | null | undefined;
  allowedIps?: readonly string[] | null | undefined;
  /** Null is 0, 60, 300, 1800, 7200 and 43200 seconds. */
  retryPolicy?: RetryPolicy | null | undefined;
  status?: "ACTIVE" | "DISABLED" | undefined;
  /** With subject, the events of one budget, customer or product come one after the other. Default: none. */
  ordering?: "none" | "subject" | undefined;
}

export interface LoginUser {
  id: number;
  email: string;
  displayName: string;
  avatarUrl: string | null;
  businessId: number;
  role: "OWNER" | "ADMIN" | "MEMBER";
  emailVerified: boolean;
}

export interface VariantInput {
  id?: string | undefined;
  name: string;
  /** Default: null. */
  sku?: string | null | undefined;
  /** Default: {}. */
  options?: Record<string, string> | undefined;
  /** In the currency's major unit, with at most 6 decimals. Default: null. */
  unitPrice?: number | null | undefined;
  /** The price of a unit by quantity: that of the highest `from` that the quantity reaches. */
  priceTiers?: readonly PriceTier[] | null | undefined;
  /** What a unit costs the business. No event has it. null = none. */
  unitCost?: number | null | undefined;
  /** Default: true. */
  active?: boolean | undefined;
}

export interface Webhook {
  id: string;
  url: string;
  description: string | null;
  /** Null = every event. */
  events: EventPattern[] | null;
  filter?: EventFilter;
  status: "ACTIVE" | "DISABLED";
  /** Null = the service has not disabled it. */
  disabledReason: string | null;
  allowedIps: string[] | null;
  retryPolicy: RetryPolicy;
  /** Absent = none. */
  ordering?: "none" | "subject";
  /** Null = the last attempt succeeded, or none was made. */
  failingSince: string | null;
  /** ISO 8601, in UTC. */
  createdAt: string;
  /** ISO 8601, in UTC. */
  updatedAt: string;
}

export interface WebhookReplay {
  id: string;
  webhookId: string;
  /** `finished`: every delivery is made, and sent or still retried. */
  status: "running" | "finished" | "cancelled";
  /** Null = every event that the endpoint receives. */
  events: EventPattern[] | null;
  /** Sequence of the first event; higher than was asked for where retention has removed the ones before. */
  firstSequence: number;
  /** Sequence of the event with which the next step begins. */
  nextSequence: number;
  /** Sequence of the last event, fixed at the start. */
  untilSequence: number;
  /** How many deliveries were made so far. */
  sent: number;
  /** ISO 8601, in UTC. */
  createdAt: string;
  /** ISO 8601, in UTC. */
  updatedAt: string;
}

export interface WebhookTest {
  event: EventType;
  data: Record<string, unknown>;
}

export interface WebhookTestResult {
  delivery_id: string;
  status: DeliveryStatus;
  /** 0 = no answer came. */
  response_code: number;
  /** Milliseconds. */
  response_time: number;
  /** ISO 8601, in UTC. */
  delivered_at: string;
}

export interface ListBudgetsQuery {
  /** Default: 1. */
  page?: number | undefined;
  /** Default: 10. */
  limit?: number | undefined;
  status?: "DRAFT" | "PENDING" | "APPROVED" | "REJECTED" | "EXPIRED" | "COMPLETED" | "ARCHIVED" | undefined;
  customerId?: string | undefined;
  search?: string | undefined;
  minTotal?: number | undefined;
  maxTotal?: number | undefined;
  /** A date-time of RFC 3339, or a plain date. Without an offset, in the time zone of the business. */
  createdAfter?: string | undefined;
  /** A date-time of RFC 3339, or a plain date. Without an offset, in the time zone of the business. */
  createdBefore?: string | undefined;
  /** Default: "createdAt". */
  sort?: "createdAt" | "total" | "status" | undefined;
  /** Default: "desc". */
  order?: "asc" | "desc" | undefined;
  /** Default: false. */
  includeDeleted?: boolean | undefined;
  /** The nextCursor of the page before; page beside it is ignored. */
  cursor?: string | undefined;
}

export interface PageQuery {
  /** Default: 1. */
  page?: number | undefined;
  /** Default: 10. */
  limit?: number | undefined;
}

export interface PreviewDocumentQuery {
  /** What is shown. Default: the customer's page. Default: "page". */
  as?: "page" | "mail" | "pdf" | undefined;
  /** Default: that of the business. */
  language?: "en" | "es" | "pt" | "de" | "fr" | "it" | "nl" | "ja" | "ar" | "he" | undefined;
  /** Of the page and the mail. Default: as the reader prefers. */
  appearance?: "light" | "dark" | undefined;
}

export interface CompareBudgetRevisionsQuery {
  /** The revision to compare with; the one before by default. */
  from?: number | undefined;
}

export interface GetEvidenceQuery {
  /** The revision that was accepted. Default: the last one that was. */
  revision?: number | undefined;
}

export interface ListRecordsQuery {
  /** Default: 1. */
  page?: number | undefined;
  /** Default: 10. */
  limit?: number | undefined;
  search?: string | undefined;
  /** Default: "createdAt". */
  sort?: "createdAt" | "name" | undefined;
  /** Default: "desc". */
  order?: "asc" | "desc" | undefined;
  /** Default: false. */
  includeDeleted?: boolean | undefined;
  /** The nextCursor of the page before; page beside it is ignored. */
  cursor?: string | undefined;
}

export interface ListEventsQuery {
  /** Default: 1. */
  page?: number | undefined;
  /** Default: 10. */
  limit?: number | undefined;
  event?: EventType | "api_key.created" | "api_key.updated" | "api_key.regenerated" | "api_key.revoked" | "api_key.secret_read" | "api_key.secret_rotated" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.secret_read" | "webhook.secret_rotated" | "api_key.delivery_retried" | "api_key.deliveries_retried" | "webhook.delivery_retried" | "webhook.deliveries_retried" | "webhook.replay_started" | "webhook.replay_cancelled" | "business.created" | "business.updated" | "business.tier_changed" | "user.created" | "user.invited" | "user.updated" | "user.role_changed" | "user.disabled" | "user.enabled" | "user.removed" | "user.sessions_ended" | "user.password_changed" | "user.password_reset" | "user.reset_requested" | "user.email_changed" | "user.second_factor_enrolled" | "user.second_factor_enabled" | "user.second_factor_disabled" | "user.login_failed" | "user.login_refused" | "user.token_reused" | "user.logged_in" | "user.logged_out" | "user.recovery_code_used" | "user.login_link_issued" | "package.created" | "package.updated" | "package.deleted" | "integration.created" | "integration.updated" | "integration.deleted" | "mail.queued" | "reminders.stopped" | "reminders.resumed" | "public_link.read" | undefined;
  subjectId?: string | undefined;
  /** A date-time of RFC 3339, or a plain date. Without an offset, in the time zone of the business. */
  since?: string | undefined;
  /** A date-time of RFC 3339, or a plain date. Without an offset, in the time zone of the business. */
  until?: string | undefined;
}

export interface StatisticsQuery {
  /** Looks back from now; 7d when left out. 1h and 24h begin with a whole minute, the others a whole hour. Default: "7d". */
  period?: "1h" | "24h" | "7d" | "30d" | "90d" | undefined;
}

export interface SalesQuery {
  /** How many weeks, the present one included. Default: 12. */
  weeks?: number | undefined;
}

export interface ListDeliveriesQuery {
  /** Default: 1. */
  page?: number | undefined;
  /** Default: 10. */
  limit?: number | undefined;
  status?: DeliveryStatus | undefined;
  event?: EventType | undefined;
}

export interface OpenPublicLinkQuery {
  /** The language of the page: en, es, pt, de, fr, it, nl, ja, ar, he. */
  lang?: string | undefined;
  /** How the link was sent, for the count of views: mail, sms, whatsapp, qr. */
  c?: string | undefined;
}

export interface ReadRemindersQuery {
  /** The language of the page: en, es, pt, de, fr, it, nl, ja, ar, he. */
  lang?: string | undefined;
  /** How the link was sent, for the count of views: mail, sms, whatsapp, qr. */
  c?: string | undefined;
  /** Of the link in a mail: names its recipient. */
  mail?: string | undefined;
}

export interface StopRemindersQuery {
  /** The language of the page: en, es, pt, de, fr, it, nl, ja, ar, he. */
  lang?: string | undefined;
  /** How the link was sent, for the count of views: mail, sms, whatsapp, qr. */
  c?: string | undefined;
  /** Of the link in a mail: names its recipient. */
  mail?: string | undefined;
  /** Reminders come again. Default: they end. */
  reminders?: "on" | undefined;
}

export interface ReadBudgetPdfQuery {
  /** The language of the PDF: en, es, pt, de, fr, it, nl, ja, ar, he. */
  lang?: string | undefined;
}

export interface UploadAttachmentQuery {
  /** Whether the customer may download it. Default false. */
  shared?: "true" | "false" | undefined;
}

export interface Page<T> {
  data: T[];
  pagination: Pagination;
}

export interface CursorPage<T> {
  data: T[];
  pagination: CursorPagination;
}

/** `budget.created`: A budget was created, by a key, a user or publicly, or duplicated. */
export interface BudgetCreatedEvent {
  event: "budget.created";
  timestamp: string;
  data: BudgetEventData;
  metadata: WebhookMetadata;
}

/** `budget.updated`: Fields of a budget changed; it was submitted, withdrawn, reopened, completed, archived or restored; it got a public link or lost it; a payment was recorded; the customer accepted and a payment is awaited; a file was attached or removed. */
export interface BudgetUpdatedEvent {
  event: "budget.updated";
  timestamp: string;
  data: BudgetChangedData;
  metadata: WebhookMetadata;
}

/** `budget.approved`: A budget was approved, through the API or the public link, or by the payment that an acceptance waited for. */
export interface BudgetApprovedEvent {
  event: "budget.approved";
  timestamp: string;
  data: BudgetChangedData;
  metadata: WebhookMetadata;
}

/** `budget.rejected`: A budget was rejected, through the API or the public link. */
export interface BudgetRejectedEvent {
  event: "budget.rejected";
  timestamp: string;
  data: BudgetChangedData;
  metadata: WebhookMetadata;
}

/** `budget.expired`: The validity of a budget ended; `timestamp` is the validity date, a few seconds before the event is sent. */
export interface BudgetExpiredEvent {
  event: "budget.expired";
  timestamp: string;
  data: BudgetChangedData;
  metadata: WebhookMetadata;
}

/** `budget.deleted`: A budget was deleted. */
export interface BudgetDeletedEvent {
  event: "budget.deleted";
  timestamp: string;
  data: BudgetChangedData;
  metadata: WebhookMetadata;
}

/** `budget.viewed`: The customer opened the page of a budget for the first time. */
export interface BudgetViewedEvent {
  event: "budget.viewed";
  timestamp: string;
  data: BudgetEventData;
  metadata: WebhookMetadata;
}

/** `budget.change_requested`: The customer asked for a change of a budget. */
export interface BudgetChangeRequestedEvent {
  event: "budget.change_requested";
  timestamp: string;
  data: ChangeRequestedData;
  metadata: WebhookMetadata;
}

/** `budget.message_sent`: The customer or the business sent a message about a budget; `message.from` says which of them. */
export interface BudgetMessageSentEvent {
  event: "budget.message_sent";
  timestamp: string;
  data: MessageSentData;
  metadata: WebhookMetadata;
}

/** `customer.created`: A customer was created. */
export interface CustomerCreatedEvent {
  event: "customer.created";
  timestamp: string;
  data: Customer | TruncatedEventData;
  metadata: WebhookMetadata;
}

/** `customer.updated`: A customer changed or was restored. */
export interface CustomerUpdatedEvent {
  event: "customer.updated";
  timestamp: string;
  data: (Customer & CustomerDifference) | TruncatedEventData;
  metadata: WebhookMetadata;
}

/** `customer.deleted`: A customer was deleted. */
export interface CustomerDeletedEvent {
  event: "customer.deleted";
  timestamp: string;
  data: DeletedEventData;
  metadata: WebhookMetadata;
}

/** `product.created`: A product was created. */
export interface ProductCreatedEvent {
  event: "product.created";
  timestamp: string;
  data: Product | TruncatedEventData;
  metadata: WebhookMetadata;
}

/** `product.updated`: A product changed or was restored. */
export interface ProductUpdatedEvent {
  event: "product.updated";
  timestamp: string;
  data: (Product & ProductDifference) | TruncatedEventData;
  metadata: WebhookMetadata;
}

/** `product.deleted`: A product was deleted. */
export interface ProductDeletedEvent {
  event: "product.deleted";
  timestamp: string;
  data: DeletedEventData;
  metadata: WebhookMetadata;
}

/** The payload of a webhook; `event` is its type. Later versions may add types. */
export type WebhookEvent =
  | BudgetCreatedEvent
  | BudgetUpdatedEvent
  | BudgetApprovedEvent
  | BudgetRejectedEvent
  | BudgetExpiredEvent
  | BudgetDeletedEvent
  | BudgetViewedEvent
  | BudgetChangeRequestedEvent
  | BudgetMessageSentEvent
  | CustomerCreatedEvent
  | CustomerUpdatedEvent
  | CustomerDeletedEvent
  | ProductCreatedEvent
  | ProductUpdatedEvent
  | ProductDeletedEvent;
