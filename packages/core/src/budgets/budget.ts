import type { Instant } from "../kernel/clock.js";
import type { Rounding } from "../kernel/decimal.js";
import type { Minor } from "../kernel/money.js";
import type { Deposit } from "../pricing/deposit.js";
import type { LineKind } from "../pricing/line-kind.js";
import type { RecurringTotals } from "../pricing/recurring.js";
import type { TaxRule } from "../pricing/tax-rule.js";
import type { FlattenedJws } from "../signing/signing-keys.js";
import type { LineConfiguration } from "./line-configuration.js";

/** The states of a budget. Source: contract, Budget states. The moves between them are in transitions.ts. */
export const BUDGET_STATUSES = [
  "DRAFT",
  "PENDING",
  "APPROVED",
  "REJECTED",
  "EXPIRED",
  "COMPLETED",
  "ARCHIVED",
  "DELETED",
] as const;
export type BudgetStatus = (typeof BUDGET_STATUSES)[number];

/** A quote: items for a customer, with totals, a status and, optionally, a public link. */
export interface Budget {
  readonly businessId: string;
  readonly id: string;
  readonly version: number; // from 1; every write adds one
  readonly revision: number; // from 1, without gaps; see revision.ts
  readonly revised: RevisionMark; // of the present revision
  readonly customerId: string;
  readonly status: BudgetStatus;
  readonly currency: string; // ISO 4217
  readonly items: readonly BudgetItem[];
  readonly taxRate: number | null; // null = there are taxes, or the client gave the tax as an amount (public creation)
  readonly taxes?: readonly BudgetTax[]; // absent = one tax for all lines
  readonly subtotal: Minor;
  readonly discount: Minor;
  readonly tax: Minor;
  readonly total: Minor;
  readonly withheld?: Minor; // the sum of the withholdings; absent = there are none
  readonly discountAmount?: Minor; // the discount as given; absent = as `discount`, for no price contains a tax
  readonly recurring?: readonly RecurringTotals[]; // what later cycles cost; absent = no selected line recurs
  readonly deposit?: Deposit; // absent = none, or that of the public creation
  readonly cost?: Minor; // what it costs the business; absent = not known; internal
  readonly pricing?: PricingRule; // by which the figures were computed; absent = older than this field
  readonly paid: Minor; // sum of the payments
  readonly notes: string | null;
  readonly validUntil: Instant | null; // null = never expires
  readonly metadata: Metadata;
  readonly createdAt: Instant;
  readonly createdBy: string; // an actor's label
  readonly sentAt?: Instant; // when it first became PENDING; absent = when it was created, or never
  readonly updatedAt: Instant;
  readonly approvedAt: Instant | null; // null = not approved
  readonly approvedBy: string | null; // an actor's label; null = not approved
  readonly acceptance: Acceptance | null; // null = no acceptance waits for payments
  readonly deletion: Deletion | null; // null = not deleted
  readonly publicTokenHash: string | null; // null = no public link
  readonly sealedPublicToken?: string; // encrypted; absent = no link, or one that cannot be read again
  readonly publicOffer: PublicOffer | null; // null = not from public creation
  readonly number?: string; // by the business's pattern; absent = never sent, or the business has none
  readonly terms?: string; // absent = those of the business, as they are now
  readonly paymentUrl?: string; // where the customer pays; absent = where the business says
  readonly hasTermsOfBusiness?: true; // its terms are a copy of the business's; absent = its own
  readonly evidence?: FlattenedJws; // of the last acceptance; absent = none. See proof/evidence.ts
  readonly approvalSignature?: string; // of the acceptance that approved it, as an SVG path; absent = none
  readonly answerDigest?: string; // of the customer's last answer: recognizes a repetition; absent = none. See repeated-answer.ts
  readonly declined?: Refused; // while it is REJECTED; absent = it is not, or was before this was kept
  readonly changeRequests?: readonly ChangeRequest[]; // of the customer, the oldest first; absent = none
}

/** A tax with what it comes to. */
interface BudgetTax extends TaxRule {
  readonly base: Minor; // what it is on
  readonly amount: Minor;
}

/** How figures are computed. A document keeps its own when the service's changes. */
interface PricingRule {
  readonly rounding: Rounding;
  readonly order: 1; // of the computation: discount, contained taxes, other taxes
}

/** That the offer was declined. */
interface Refused {
  readonly at: Instant;
  readonly by: string; // an actor's label
  readonly reason?: string; // the customer's; absent = none
}

/** What the customer asked to change. */
export interface ChangeRequest {
  readonly message: string;
  readonly by: string; // an actor's label
  readonly at: Instant;
  readonly revision: number; // that the customer saw
}

interface RevisionMark {
  readonly at: Instant;
  readonly by: string; // an actor's label
  readonly changes: readonly string[]; // fields that differ from the revision before; empty = the first revision
  readonly asked: boolean; // true = the customer was asked to answer it
}

type Metadata = Readonly<Record<string, unknown>>;

/**
 * One line of a budget. Only an item names a product; the numbers of the others are 0, but for a subtotal's total. The
 * figures of an item that is not selected are 0.
 */
export interface BudgetItem extends LineConfiguration {
  readonly id: string;
  readonly productId: string | null; // null = a custom item or a package
  readonly variantId: string | null;
  readonly packageId: string | null;
  readonly package?: PackageSnapshot; // absent = no package, or an unknown one
  readonly description: string;
  readonly quantity: number; // read as an exact decimal
  readonly unitPrice: number; // read as an exact decimal
  readonly kind?: Exclude<LineKind, "item">; // absent = an item
  readonly unit?: string; // of the quantity; absent = none
  readonly discountRate?: number; // of the item, 0 to 1; absent = none
  readonly discountAmount?: Minor; // of the item; absent = none
  readonly gross?: Minor; // quantity × unitPrice less the item's own discount; absent = its price contains no tax
  readonly total: Minor; // as gross, without the taxes that it contains, before the budget's discount and other taxes
  readonly discount: Minor; // this item's share of the budget's discount
  readonly tax: Minor; // this item's share of the budget's tax
}

/** The customer's acceptance while it waits for payments. Only a PENDING budget has one, also after its deletion. */
export interface Acceptance {
  readonly acceptedAt: Instant;
  readonly acceptedBy: string; // an actor's label
  readonly signature?: string; // drawn by the customer, as an SVG path; absent = none
}

/** The state of a package at the time when the item first named it. */
export interface PackageSnapshot {
  readonly id: string;
  readonly name: string;
  readonly price: number | null; // its own or the sum of its items; null = no sum
  readonly currency: string; // of the price, ISO 4217
  readonly items: readonly PackedItem[];
}

interface PackedItem {
  readonly productId: string;
  readonly variantId: string | null; // null = the product itself
  readonly name: string | null; // null = unknown product
  readonly sku: string | null;
  readonly unitPrice: number | null; // in the product's currency
  readonly quantity: number;
}

interface Deletion {
  readonly deletedAt: Instant;
  readonly from: BudgetStatus; // the status that restore returns to
}

/** The fields that only public creation has. */
interface PublicOffer {
  readonly sellerId: string;
  readonly issueDate: Instant;
  readonly minimumPaymentToConfirm: Minor;
}

/** Null or undefined = none of its own. */
export function paymentUrlField(paymentUrl: string | null | undefined): Pick<Budget, "paymentUrl"> {
  return paymentUrl === null || paymentUrl === undefined ? {} : { paymentUrl };
}
