import type { Instant } from "../kernel/clock.js";
import type { Minor } from "../kernel/money.js";

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

/** A quote: items for a customer, with totals, a state and, sometimes, a public link. One value, one row. */
export interface Budget {
  readonly businessId: string;
  readonly id: string;
  readonly version: number; // from 1; every write adds one
  readonly revision: number; // from 1, without gaps; revision.ts says what adds one
  readonly revised: RevisionMark; // how the present revision came about
  readonly customerId: string;
  readonly status: BudgetStatus;
  readonly currency: string; // ISO 4217
  readonly items: readonly BudgetItem[];
  readonly taxRate: number | null; // null = the tax amount was given by the client (public creation)
  readonly subtotal: Minor;
  readonly discount: Minor;
  readonly tax: Minor;
  readonly total: Minor;
  readonly paid: Minor; // the sum of its payments
  readonly notes: string | null;
  readonly validUntil: Instant | null; // null = never expires
  readonly metadata: Metadata;
  readonly createdAt: Instant;
  readonly createdBy: string; // an actor's label
  readonly updatedAt: Instant;
  readonly approvedAt: Instant | null; // null = not approved
  readonly approvedBy: string | null; // an actor's label; null = not approved
  readonly acceptance: Acceptance | null; // null = no acceptance waits for a payment
  readonly deletion: Deletion | null; // null = not deleted
  readonly publicTokenHash: string | null; // null = no public link
  readonly publicOffer: PublicOffer | null; // null = not made by the public-creation operation
}

/** Who made a revision, when, and of what. */
interface RevisionMark {
  readonly at: Instant;
  readonly by: string; // an actor's label
  readonly changes: readonly string[]; // the fields that differ from the revision before; none = the first one
  readonly asked: boolean; // whether the customer has been asked about it
}

type Metadata = Readonly<Record<string, unknown>>;

/** One line of a budget. */
export interface BudgetItem {
  readonly id: string;
  readonly productId: string | null; // null = a custom item or a package
  readonly variantId: string | null;
  readonly packageId: string | null;
  readonly package?: PackageSnapshot; // absent = no package, or one that the catalog did not know
  readonly description: string;
  readonly quantity: number; // read as an exact decimal
  readonly unitPrice: number; // read as an exact decimal
  readonly total: Minor; // quantity × unitPrice, before discount and tax
  readonly discount: Minor; // this item's share of the budget's discount
  readonly tax: Minor; // this item's share of the budget's tax
}

/** The customer's answer while it waits for payments: a budget has one in PENDING only, or was deleted with it. */
export interface Acceptance {
  readonly acceptedAt: Instant;
  readonly acceptedBy: string; // an actor's label
}

/** What a package was when the item came to name it. */
export interface PackageSnapshot {
  readonly id: string;
  readonly name: string;
  readonly price: number | null; // its own or the sum of its items; null = there was no such sum
  readonly currency: string; // of the price, ISO 4217
  readonly items: readonly PackedItem[];
}

interface PackedItem {
  readonly productId: string;
  readonly variantId: string | null; // null = the product itself
  readonly name: string | null; // null = the catalog did not know the product
  readonly sku: string | null;
  readonly unitPrice: number | null; // in the product's currency
  readonly quantity: number;
}

interface Deletion {
  readonly deletedAt: Instant;
  readonly from: BudgetStatus; // where restore leads back to
}

/** What only the public-creation shape carries. */
interface PublicOffer {
  readonly sellerId: string;
  readonly issueDate: Instant;
  readonly minimumPaymentToConfirm: Minor;
}
