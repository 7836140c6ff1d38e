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
  readonly customerId: string;
  readonly status: BudgetStatus;
  readonly currency: string; // ISO 4217
  readonly items: readonly BudgetItem[];
  readonly taxRate: number | null; // null = the tax amount was given by the client (public creation)
  readonly subtotal: Minor;
  readonly discount: Minor;
  readonly tax: Minor;
  readonly total: Minor;
  readonly notes: string | null;
  readonly validUntil: Instant | null; // null = never expires
  readonly metadata: Metadata;
  readonly createdAt: Instant;
  readonly createdBy: string; // an actor's label
  readonly updatedAt: Instant;
  readonly approvedAt: Instant | null; // null = not approved
  readonly approvedBy: string | null; // an actor's label; null = not approved
  readonly deletion: Deletion | null; // null = not deleted
  readonly publicTokenHash: string | null; // null = no public link
  readonly publicOffer: PublicOffer | null; // null = not made by the public-creation operation
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
