import { z } from "zod";
import { cursorPaginationSchema, timestampView } from "../kernel/fields.js";
import { BUDGET_STATUSES } from "./budget.js";

const MONEY = "Amounts are in the currency's major unit.";

const customerView = z
  .object({ id: z.string(), name: z.string().nullable(), email: z.string().nullable() })
  .meta({ id: "CustomerSummary" });

export const packageSnapshotView = z
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

/** The customer's acceptance, which waits for the minimum payment. */
export const acceptanceView = z
  .object({ acceptedAt: timestampView, acceptedBy: z.string() })
  .meta({ id: "Acceptance", description: "The customer's acceptance, which waits for the minimum payment." });

/** A budget in a list. Source: contract, Budget (main shape), list subset. */
export const budgetListEntrySchema = z
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
    availableActions: z.array(z.string()).describe("What may be done with it in its state."),
  })
  .meta({ id: "BudgetEntry", description: MONEY });

/** A budget by itself. Amounts are numbers in the currency's major unit. Source: contract, Budget (main shape). */
export const budgetViewSchema = budgetListEntrySchema
  .extend({
    discount: z.number(),
    taxRate: z.number().nullable().describe("Null: the client gave the tax as an amount."),
    metadata: z.record(z.string(), z.unknown()),
    createdBy: z.string().describe("`user:7`, `key:12`, `customer:Ana` or `system`."),
    approvedAt: timestampView.nullable().describe("Null until it is approved."),
    approvedBy: z.string().nullable(),
    customer: customerView.extend({ phone: z.string().nullable().optional() }), // the single read tells the phone
    publicOffer: z
      .object({ sellerId: z.string(), issueDate: timestampView, minimumPaymentToConfirm: z.number() })
      .optional(),
  })
  .meta({ id: "Budget", description: MONEY });

export const budgetListSchema = z.object({ data: z.array(budgetListEntrySchema), pagination: cursorPaginationSchema });
