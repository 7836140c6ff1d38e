import { z } from "zod";
import { timestampView } from "../kernel/fields.js";
import { BUDGET_STATUSES } from "./budget.js";
import { acceptanceView } from "./budget-view-schema.js";

/** What whoever has the link may see: nothing of the catalog's ids, the metadata or the people of the business. */
export const publicBudgetViewSchema = z
  .object({
    id: z.string(),
    version: z.int(),
    status: z.enum(BUDGET_STATUSES),
    currency: z.string(),
    subtotal: z.number(),
    discount: z.number(),
    tax: z.number(),
    total: z.number(),
    notes: z.string().nullable(),
    validUntil: timestampView.nullable(),
    issueDate: timestampView,
    minimumPaymentToConfirm: z.number().nullable(),
    paid: z.number(),
    dueToConfirm: z.number().nullable().describe("What an acceptance waits for; null = nothing is to be confirmed."),
    acceptance: acceptanceView.nullable().describe("Null = none waits for payments."),
    business: z.object({ name: z.string().nullable() }),
    customer: z.object({ name: z.string().nullable() }),
    items: z.array(
      z.object({ description: z.string(), quantity: z.number(), unitPrice: z.number(), total: z.number() }),
    ),
    availableActions: z.array(z.enum(["accept", "decline"])),
    publicUrl: z.url(),
  })
  .meta({ id: "PublicBudget" });

export const publicLinkViewSchema = z
  .object({ publicUrl: z.url(), publicToken: z.string() })
  .meta({ id: "PublicLink" });
