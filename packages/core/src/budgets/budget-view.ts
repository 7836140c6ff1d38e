import { z } from "zod";
import type { CustomerSummary } from "../catalog/customer.js";
import type { NamedProducts } from "../catalog/product-summary.js";
import type { Actor } from "../kernel/actor.js";
import { at } from "../kernel/arrays.js";
import { toTimestamp } from "../kernel/clock.js";
import { cursorPaginationSchema, timestampView } from "../kernel/fields.js";
import { fromMinor } from "../kernel/money.js";
import { type Acceptance, BUDGET_STATUSES, type Budget, type BudgetItem, type PackageSnapshot } from "./budget.js";
import { availableActionsOf } from "./transitions.js";

const MONEY = "Amounts are in the currency's major unit.";

const customerView = z
  .object({ id: z.string(), name: z.string().nullable(), email: z.string().nullable() })
  .meta({ id: "CustomerSummary" });

const packageSnapshotView = z
  .object({
    id: z.string(),
    name: z.string(),
    price: z.number().nullable(),
    currency: z.string(),
    items: z.array(
      z.object({
        productId: z.string(),
        variantId: z.string().nullable(),
        name: z.string().nullable(),
        sku: z.string().nullable(),
        unitPrice: z.number().nullable(),
        quantity: z.number(),
      }),
    ),
  })
  .meta({ id: "PackageSnapshot" });

const itemView = z
  .object({
    id: z.string(),
    productId: z.string().optional(),
    variantId: z.string().optional(),
    packageId: z.string().optional(),
    description: z.string(),
    quantity: z.number(),
    unitPrice: z.number(),
    total: z.number(),
    tax: z.number(),
    discount: z.number(),
    product: z.object({ id: z.string(), name: z.string().nullable(), sku: z.string().nullable() }).optional(),
    package: packageSnapshotView.optional().describe("What it held and cost when the item came to name it."),
  })
  .meta({ id: "BudgetItem", description: MONEY });

export const acceptanceView = z
  .object({ acceptedAt: timestampView, acceptedBy: z.string() })
  .meta({ id: "Acceptance", description: "The customer's acceptance, which waits for the minimum payment." });

/** A budget in a list. Source: contract, Budget (main shape), list subset. */
const budgetListEntrySchema = z
  .object({
    id: z.string(),
    version: z.int().describe("Grows by one with each write; the ETag names it."),
    revision: z.int().describe("Grows when what is offered changes."),
    customerId: z.string(),
    status: z.enum(BUDGET_STATUSES),
    total: z.number(),
    subtotal: z.number(),
    tax: z.number(),
    paid: z.number().describe("The sum of the payments."),
    currency: z.string(),
    validUntil: timestampView.nullable().describe("Null = for ever."),
    notes: z.string().nullable(),
    createdAt: timestampView,
    updatedAt: timestampView,
    deletedAt: timestampView.optional().describe("Only on a deleted budget."),
    acceptance: acceptanceView.nullable().describe("Null = none waits for payments."),
    customer: customerView,
    items: z.array(itemView),
    availableActions: z.array(z.string()).describe("What the caller may do with it in its state."),
  })
  .meta({ id: "BudgetEntry", description: MONEY });

/** A single budget. Source: contract, Budget (main shape). */
export const budgetViewSchema = budgetListEntrySchema
  .extend({
    discount: z.number(),
    taxRate: z.number().nullable().describe("Null: the client gave the tax as an amount."),
    metadata: z.record(z.string(), z.unknown()),
    createdBy: z.string().describe("`user:7`, `key:12`, `customer:Ana` or `system`."),
    approvedAt: timestampView.nullable().describe("Null until it is approved."),
    approvedBy: z.string().nullable(),
    customer: customerView.extend({ phone: z.string().nullable().optional() }), // the phone only in a single read
    publicOffer: z
      .object({ sellerId: z.string(), issueDate: timestampView, minimumPaymentToConfirm: z.number() })
      .optional(),
  })
  .meta({ id: "Budget", description: MONEY });

export const budgetListSchema = z.object({ data: z.array(budgetListEntrySchema), pagination: cursorPaginationSchema });

type AcceptanceView = z.infer<typeof acceptanceView>;
export type BudgetListEntry = z.infer<typeof budgetListEntrySchema>;
export type BudgetView = z.infer<typeof budgetViewSchema>;
export type BudgetList = z.infer<typeof budgetListSchema>;

/** The catalog entries of the customers and products that budgets name. */
export interface Summaries {
  readonly customers: ReadonlyMap<string, CustomerSummary>;
  readonly products: NamedProducts;
}

/** A budget as a list shows it to the caller. */
export function listEntryOf(budget: Budget, summaries: Summaries, actor: Actor): BudgetListEntry {
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
    availableActions: [...availableActionsOf(budget.status, actor)],
  };
}

/**
 * The full shape of a budget, which every write returns. The list entry is extended in place: extending a copy of an
 * object of this size takes V8 several times as long as the rest of a read.
 */
export function budgetViewOf(budget: Budget, summaries: Summaries, actor: Actor): BudgetView {
  const offer = budget.publicOffer;
  return Object.assign(listEntryOf(budget, summaries, actor), {
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

/** The full shape with the additions of a single read: the customer's phone, and the product or package of each item. */
export function singleReadOf(budget: Budget, summaries: Summaries, actor: Actor): BudgetView {
  const view = budgetViewOf(budget, summaries, actor);
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

/** The name and the sku are those of the variant, if the product has it. */
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
