import { z } from "zod";
import { BUDGET_STATUSES } from "./budgets/budget.js";
import { budgetViewSchema } from "./budgets/budget-view.js";
import { itemChangeSchemas } from "./budgets/item-changes.js";
import { messageViewSchema } from "./budgets/message-view.js";
import { changeRequestViewSchema } from "./budgets/sharing/request-change.js";
import { customerViewSchema } from "./catalog/manage-customers.js";
import { productViewSchema } from "./catalog/manage-products.js";
import type { EventType } from "./events/event.js";
import { fieldChangeSchema } from "./events/event-changes.js";
import { timestampView } from "./kernel/fields.js";

/** When an event is raised, and its data. */
interface EventSchema {
  readonly when: string;
  readonly data: z.ZodType;
}

const truncatedBudget = z
  .object({
    /** Id of the budget. */
    id: z.string(),
    /** Its version. */
    version: z.int(),
    /** The budget is more than 64 KiB: read it by its id. */
    truncated: z.literal(true).describe("The budget is more than 64 KiB: read it by its id."),
  })
  .meta({ id: "TruncatedBudget" });

/** A read of the budget, without what depends on the caller and what only the business sees. */
const replayedBudget = budgetViewSchema
  .omit({ availableActions: true, cost: true, margin: true })
  .meta({ id: "ReplayedBudget" });

const budgetEvent = z
  .object({
    /** Id of the budget. */
    id: z.string().describe("Id of the budget."),
    /** Absent = the budget has none. */
    number: z.string().optional().describe("Absent = the budget has none."),
    /** Id of the customer, assigned by the service or by the host. */
    customerId: z.string().describe("Id of the customer."),
    /** In the currency's major unit, tax included. */
    total: z.number().describe("In the currency's major unit, tax included."),
    /** An ISO 4217 code. */
    currency: z.string().describe("An ISO 4217 code."),
    /** After the event. */
    status: z.enum(BUDGET_STATUSES).describe("After the event."),
    /** The budget's version after the write: each write adds one. */
    version: z.int().describe("The budget's version after the write: each write adds one."),
    /** ISO 8601, in UTC. */
    createdAt: timestampView.describe("When the budget was created."),
    /** The name and the email are null for a customer who is not in the catalog. */
    customer: z
      .object({
        /** Id of the customer. */
        id: z.string(),
        /** Null = not in the catalog. */
        name: z.string().nullable(),
        /** Email address; null = none. */
        email: z.string().nullable(),
      })
      .describe("`id`, `name` and `email`; name and email are null for a customer who is not in the catalog."),
    /** Only in a replay: the budget as it was when the replay sent the event; null = deleted. */
    budget: z
      .union([truncatedBudget, replayedBudget])
      .nullable()
      .optional()
      .describe("Only in a replay: the budget as it was when the replay sent the event; null = deleted."),
  })
  .meta({ id: "BudgetEventData" });
export type BudgetEventData = z.infer<typeof budgetEvent>;

const budgetChange = z
  .discriminatedUnion("kind", [fieldChangeSchema, ...itemChangeSchemas])
  .meta({ id: "BudgetChange" });

const truncated = z.literal(true).optional();

const budgetChanged = budgetEvent
  .extend({
    /** Names of what the event is about. */
    fields: z.array(z.string()).describe("Names of what the event is about."),
    /** What the write changed; absent = more than 16 KiB. */
    changes: z.array(budgetChange).optional().describe("What the write changed; absent = more than 16 KiB."),
    /** True where `changes` would be too large: read the budget by its id. */
    truncated: truncated.describe("True where `changes` would be too large: read the budget by its id."),
  })
  .meta({ id: "BudgetChangedData" });
export type BudgetChangedData = z.infer<typeof budgetChanged>;

const changeRequested = budgetChanged
  .extend({
    /** The request. */
    changeRequest: changeRequestViewSchema.describe("The customer's request."),
  })
  .meta({ id: "ChangeRequestedData" });

const messageSent = budgetEvent
  .extend({
    /** The whole message. */
    message: messageViewSchema.describe("The whole message, as the list of messages has it."),
  })
  .meta({ id: "MessageSentData" });

const deleted = z
  .object({
    /** Id of the record. */
    id: z.string().describe("Id of the record."),
    /** ISO 8601, in UTC. */
    deletedAt: timestampView.describe("When it was deleted."),
  })
  .meta({ id: "DeletedEventData" });
export type DeletedEventData = z.infer<typeof deleted>;

const truncatedRecord = z
  .object({
    /** Id of the record. */
    id: z.string().describe("Id of the record."),
    /** For people to read. */
    name: z.string().describe("For people to read."),
    /** True where the record is too large: read it by its id. */
    truncated: z.literal(true).describe("The record is more than 16 KiB: read it by its id."),
    /** Changed fields; empty for a new record. */
    fields: z.array(z.string()).describe("Changed fields; empty for a new record."),
  })
  .meta({
    id: "TruncatedEventData",
    description: "Replaces a record of more than 16 KiB; `fields` lists the changed fields.",
  });

/** The record after the change, and what changed. */
function updatedRecord<Shape extends z.ZodRawShape>(view: z.ZodObject<Shape>, id: string) {
  const difference = z
    .object({
      /** The former values of the changed fields. */
      previous: view.partial().describe("The former values of the changed fields."),
      /** The changed fields before and after; absent = too large beside the record. */
      changes: z
        .array(fieldChangeSchema)
        .optional()
        .describe("The changed fields before and after; absent = too large beside the record."),
    })
    .meta({ id });
  return z.union([z.intersection(view, difference), truncatedRecord]);
}

/** Every event: when it is raised, and what it carries. Types, OpenAPI, the client and docs/webhooks.md follow it. */
export const eventSchemas = {
  /** A budget was created. */
  "budget.created": {
    when: "A budget was created, by a key, a user or publicly, or duplicated.",
    data: budgetEvent,
  },
  /** A budget was changed. */
  "budget.updated": {
    when:
      "Fields of a budget changed; it was submitted, withdrawn, reopened, completed, archived or restored; it got a " +
      "public link or lost it; a payment was recorded; the customer accepted and a payment is awaited; a file was " +
      "attached or removed.",
    data: budgetChanged,
  },
  /** A budget was approved. */
  "budget.approved": {
    when: "A budget was approved, through the API or the public link, or by the payment that an acceptance waited for.",
    data: budgetChanged,
  },
  /** A budget was rejected. */
  "budget.rejected": { when: "A budget was rejected, through the API or the public link.", data: budgetChanged },
  /** A budget has passed its validity. */
  "budget.expired": {
    when: "The validity of a budget ended; `timestamp` is the validity date, a few seconds before the event is sent.",
    data: budgetChanged,
  },
  /** A budget was deleted. */
  "budget.deleted": { when: "A budget was deleted.", data: budgetChanged },
  /** The customer opened the page of a budget for the first time. */
  "budget.viewed": { when: "The customer opened the page of a budget for the first time.", data: budgetEvent },
  /** The customer asked for a change of a budget. */
  "budget.change_requested": { when: "The customer asked for a change of a budget.", data: changeRequested },
  /** The customer or the business sent a message about a budget. */
  "budget.message_sent": {
    when: "The customer or the business sent a message about a budget; `message.from` says which of them.",
    data: messageSent,
  },
  /** A customer was created. */
  "customer.created": { when: "A customer was created.", data: z.union([customerViewSchema, truncatedRecord]) },
  /** A customer was changed. */
  "customer.updated": {
    when: "A customer changed or was restored.",
    data: updatedRecord(customerViewSchema, "CustomerDifference"),
  },
  /** A customer was deleted. */
  "customer.deleted": { when: "A customer was deleted.", data: deleted },
  /** A product was created. */
  "product.created": { when: "A product was created.", data: z.union([productViewSchema, truncatedRecord]) },
  /** A product was changed. */
  "product.updated": {
    when: "A product changed or was restored.",
    data: updatedRecord(productViewSchema, "ProductDifference"),
  },
  /** A product was deleted. */
  "product.deleted": { when: "A product was deleted.", data: deleted },
} as const satisfies Readonly<Record<EventType, EventSchema>>;
