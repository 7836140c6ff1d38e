import { z } from "zod";
import type { CustomerSummary } from "../catalog/customer.js";
import type { NamedProducts } from "../catalog/product-summary.js";
import type { Actor } from "../kernel/actor.js";
import { at } from "../kernel/arrays.js";
import { timestampOrNull, toTimestamp } from "../kernel/clock.js";
import { cursorPaginationSchema, timestampView } from "../kernel/fields.js";
import { fromMinor } from "../kernel/money.js";
import { acceptanceView, acceptanceViewOf } from "./acceptance-view.js";
import { BUDGET_STATUSES, type Budget, paymentUrlField } from "./budget.js";
import { itemViewOf, lineView, packageViewOf, productViewOf } from "./item-view.js";
import type { ViewSum } from "./link-view-store.js";
import {
  depositFigures,
  depositFiguresOf,
  internalFigures,
  internalFiguresOf,
  taxFigures,
  taxFiguresOf,
} from "./price-view.js";
import { availableActionsOf } from "./transitions.js";

const MONEY = "Amounts are in the currency's major unit.";

const customerView = z
  .object({
    /** Assigned by the service. */
    id: z.string(),
    /** As it is now; null = not in the catalog. */
    name: z.string().nullable(),
    /** Email address; null = none. */
    email: z.string().nullable(),
  })
  .meta({ id: "CustomerSummary" });

/** A budget in a list. Source: contract, Budget (main shape), list subset. */
const budgetListEntrySchema = z
  .object({
    /** Assigned by the service. */
    id: z.string(),
    /** For people, by the pattern of the business; absent = none. */
    number: z.string().optional().describe("For people, by the pattern of the business; absent = none."),
    /** Grows by one with each write; the ETag names it. */
    version: z.int().describe("Grows by one with each write; the ETag names it."),
    /** Grows when what is offered changes. */
    revision: z.int().describe("Grows when what is offered changes."),
    /** Id of the customer, assigned by the service or by the host. */
    customerId: z.string(),
    /** Where it stands in its life. */
    status: z.enum(BUDGET_STATUSES),
    /** With tax, in the currency's major unit. */
    total: z.number(),
    /** Before tax and discount, in the currency's major unit. */
    subtotal: z.number(),
    /** Amount of tax, in the currency's major unit. */
    tax: z.number(),
    ...taxFigures,
    /** The sum of the payments. */
    paid: z.number().describe("The sum of the payments."),
    ...depositFigures,
    ...internalFigures,
    /** An ISO 4217 code. */
    currency: z.string(),
    /** Null = for ever. */
    validUntil: timestampView.nullable().describe("Null = for ever."),
    /** Free text; null = none. */
    notes: z.string().nullable(),
    /** Where its customer pays; absent = where the business says. */
    paymentUrl: z.string().optional().describe("Where its customer pays; absent = where the business says."),
    /** ISO 8601, in UTC. */
    createdAt: timestampView,
    /** Of the last change. ISO 8601, in UTC. */
    updatedAt: timestampView,
    /** Only on a deleted budget. */
    deletedAt: timestampView.optional().describe("Only on a deleted budget."),
    /** Null = none waits for payments. */
    acceptance: acceptanceView.nullable().describe("Null = none waits for payments."),
    /** The customer, in short. */
    customer: customerView,
    /** The lines. */
    items: z.array(lineView),
    /** Of its link; only in reads, absent = none. */
    views: z
      .object({
        /** All views, at most one by a kind of device in ten minutes. */
        count: z.int().describe("All views, at most one by a kind of device in ten minutes."),
        /** ISO 8601, in UTC. */
        lastViewedAt: timestampView,
      })
      .optional()
      .describe("Of its link; only in reads, absent = none."),
    /** What the caller may do with it in its state. */
    availableActions: z.array(z.string()).describe("What the caller may do with it in its state."),
  })
  .meta({ id: "BudgetEntry", description: MONEY });

/** A single budget. Source: contract, Budget (main shape). */
export const budgetViewSchema = budgetListEntrySchema
  .extend({
    /** Amount of discount, in the currency's major unit. */
    discount: z.number(),
    /** Null: the client gave the tax as an amount. */
    taxRate: z.number().nullable().describe("Null: there are taxes, or the client gave the tax as an amount."),
    /** The terms it was sent with, or its own; absent = those of the business. */
    terms: z.string().optional().describe("The terms it was sent with, or its own; absent = those of the business."),
    /** Free data of the client. */
    metadata: z.record(z.string(), z.unknown()),
    /** `user:7`, `key:12`, `customer:Ana` or `system`. */
    createdBy: z.string().describe("`user:7`, `key:12`, `customer:Ana` or `system`."),
    /** Null until it is approved. */
    approvedAt: timestampView.nullable().describe("Null until it is approved."),
    /** Who approved it; null until it is approved. */
    approvedBy: z.string().nullable(),
    /** The customer, in short. */
    customer: customerView.extend({
      /** Only in the read of a single budget. */
      phone: z.string().nullable().optional(),
    }), // the phone only in a single read
    /** What a public creation stated. */
    publicOffer: z
      .object({
        /** Id of the seller, as the client gave it. */
        sellerId: z.string(),
        /** When the offer was made. ISO 8601. */
        issueDate: timestampView,
        /** What must be paid before the acceptance counts, in the currency's major unit. */
        minimumPaymentToConfirm: z.number(),
      })
      .optional(),
  })
  .meta({ id: "Budget", description: MONEY });

export const budgetListSchema = z.object({
  /** The entries of this page. */
  data: z.array(budgetListEntrySchema),
  /** Which page this is, and how many there are. */
  pagination: cursorPaginationSchema,
});

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
    ...(budget.number === undefined ? {} : { number: budget.number }),
    version: budget.version,
    revision: budget.revision,
    customerId: budget.customerId,
    status: budget.status,
    total: fromMinor(budget.total, budget.currency),
    subtotal: fromMinor(budget.subtotal, budget.currency),
    tax: fromMinor(budget.tax, budget.currency),
    ...(budget.pricing === undefined ? {} : pricingFieldsOf(budget)),
    paid: fromMinor(budget.paid, budget.currency),
    currency: budget.currency,
    validUntil: timestampOrNull(budget.validUntil),
    notes: budget.notes,
    ...paymentUrlField(budget.paymentUrl),
    createdAt: toTimestamp(budget.createdAt),
    updatedAt: toTimestamp(budget.updatedAt),
    ...(budget.deletion === null ? {} : { deletedAt: toTimestamp(budget.deletion.deletedAt) }),
    acceptance: acceptanceViewOf(budget.acceptance),
    customer: { id: budget.customerId, name: customer?.name ?? null, email: customer?.email ?? null },
    items: budget.items.map((item) => itemViewOf(item, budget.currency)),
    availableActions: [...availableActionsOf(budget.status, actor)],
  };
}

/** Adds the views of a budget to what a read shows. `sum`: undefined = none. */
export function withViews<View extends BudgetListEntry>(view: View, sum: ViewSum | undefined): View {
  if (sum !== undefined) view.views = { count: sum.views, lastViewedAt: toTimestamp(sum.last) };
  return view;
}

/** The figures that most budgets do not have. Old budgets have none of them. */
function pricingFieldsOf(budget: Budget) {
  const { taxes, recurring, deposit, cost } = budget;
  if (taxes === undefined && recurring === undefined && deposit === undefined && cost === undefined) return {};
  return { ...taxFiguresOf(budget), ...depositFiguresOf(budget), ...internalFiguresOf(budget) };
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
    ...(budget.terms === undefined ? {} : { terms: budget.terms }),
    metadata: { ...budget.metadata },
    createdBy: budget.createdBy,
    approvedAt: timestampOrNull(budget.approvedAt),
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
    if (shown.kind !== undefined) continue;
    if (item.productId !== null) shown.product = productViewOf(item.productId, item.variantId, summaries.products);
    if (item.package !== undefined) shown.package = packageViewOf(item.package);
  }
  return view;
}
