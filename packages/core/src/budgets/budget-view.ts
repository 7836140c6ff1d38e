import type { z } from "zod";
import type { CustomerSummary } from "../catalog/customer.js";
import type { NamedProducts } from "../catalog/product-summary.js";
import { at } from "../kernel/at.js";
import { toTimestamp } from "../kernel/clock.js";
import { fromMinor } from "../kernel/money.js";
import type { Acceptance, Budget, BudgetItem, PackageSnapshot } from "./budget.js";
import type {
  acceptanceView,
  budgetListEntrySchema,
  budgetListSchema,
  budgetViewSchema,
  packageSnapshotView,
} from "./budget-view-schema.js";
import { availableActionsOf } from "./transitions.js";

type AcceptanceView = z.infer<typeof acceptanceView>;
export type BudgetListEntry = z.infer<typeof budgetListEntrySchema>;
export type BudgetView = z.infer<typeof budgetViewSchema>;
export type BudgetList = z.infer<typeof budgetListSchema>;

/** What the catalog knows of the customers and products that budgets name. */
export interface Summaries {
  readonly customers: ReadonlyMap<string, CustomerSummary>;
  readonly products: NamedProducts;
}

/** The list's shape of a budget. */
export function listEntryOf(budget: Budget, summaries: Summaries): BudgetListEntry {
  const customer = summaries.customers.get(budget.customerId);
  return {
    id: budget.id,
    version: budget.version,
    revision: budget.revision,
    customerId: budget.customerId,
    status: budget.status,
    total: fromMinor(budget.total, budget.currency),
    subtotal: fromMinor(budget.subtotal, budget.currency),
    tax: fromMinor(budget.tax, budget.currency),
    paid: fromMinor(budget.paid, budget.currency),
    currency: budget.currency,
    validUntil: budget.validUntil === null ? null : toTimestamp(budget.validUntil),
    notes: budget.notes,
    createdAt: toTimestamp(budget.createdAt),
    updatedAt: toTimestamp(budget.updatedAt),
    ...(budget.deletion === null ? {} : { deletedAt: toTimestamp(budget.deletion.deletedAt) }),
    acceptance: acceptanceViewOf(budget.acceptance),
    customer: { id: budget.customerId, name: customer?.name ?? null, email: customer?.email ?? null },
    items: budget.items.map((item) => itemViewOf(item, budget.currency)),
    availableActions: [...availableActionsOf(budget.status)],
  };
}

/**
 * The full shape of a budget, as every write answers it. The entry is completed, not copied: adding to a copy of an
 * object of this size takes V8 several times as long as all the rest of a read.
 */
export function budgetViewOf(budget: Budget, summaries: Summaries): BudgetView {
  const offer = budget.publicOffer;
  return Object.assign(listEntryOf(budget, summaries), {
    discount: fromMinor(budget.discount, budget.currency),
    taxRate: budget.taxRate,
    metadata: { ...budget.metadata },
    createdBy: budget.createdBy,
    approvedAt: budget.approvedAt === null ? null : toTimestamp(budget.approvedAt),
    approvedBy: budget.approvedBy,
    ...(offer === null
      ? {}
      : {
          publicOffer: {
            sellerId: offer.sellerId,
            issueDate: toTimestamp(offer.issueDate),
            minimumPaymentToConfirm: fromMinor(offer.minimumPaymentToConfirm, budget.currency),
          },
        }),
  });
}

/** The full shape with what only the single read tells: the customer's phone, and each item's product or package. */
export function singleReadOf(budget: Budget, summaries: Summaries): BudgetView {
  const view = budgetViewOf(budget, summaries);
  view.customer.phone = summaries.customers.get(budget.customerId)?.phone ?? null;
  for (const [index, item] of budget.items.entries()) {
    const shown = at(view.items, index);
    if (item.productId !== null) shown.product = productViewOf(item.productId, item.variantId, summaries);
    if (item.package !== undefined) shown.package = packageViewOf(item.package);
  }
  return view;
}

export function acceptanceViewOf(acceptance: Acceptance | null): AcceptanceView | null {
  if (acceptance === null) return null;
  return { acceptedAt: toTimestamp(acceptance.acceptedAt), acceptedBy: acceptance.acceptedBy };
}

/** Where the item names a variant that the product has, the name and the sku are the variant's. */
function productViewOf(id: string, variantId: string | null, { products }: Summaries) {
  const product = products.find({ productId: id, variantId });
  return { id, name: product?.name ?? null, sku: product?.sku ?? null };
}

function packageViewOf(snapshot: PackageSnapshot): z.infer<typeof packageSnapshotView> {
  return { ...snapshot, items: snapshot.items.map((item) => ({ ...item })) };
}

function itemViewOf(item: BudgetItem, currency: string): BudgetListEntry["items"][number] {
  return {
    id: item.id,
    ...(item.productId === null ? {} : { productId: item.productId }),
    ...(item.variantId === null ? {} : { variantId: item.variantId }),
    ...(item.packageId === null ? {} : { packageId: item.packageId }),
    description: item.description,
    quantity: item.quantity,
    unitPrice: item.unitPrice,
    total: fromMinor(item.total, currency),
    tax: fromMinor(item.tax, currency),
    discount: fromMinor(item.discount, currency),
  };
}
