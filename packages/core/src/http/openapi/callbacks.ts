import { z } from "zod";
import { BUDGET_STATUSES } from "../../budgets/budget.js";
import { changeRequestViewSchema } from "../../budgets/sharing/request-change.js";
import { customers } from "../../catalog/manage-customers.js";
import { products } from "../../catalog/manage-products.js";
import { EVENT_TYPES, type EventType } from "../../events/event.js";
import { timestampView } from "../../kernel/fields.js";
import { webhookPayloadSchema } from "../../signing/payload.js";
import type { Json, SchemaWriter } from "./json-schema.js";

const WHEN: Readonly<Record<EventType, string>> = {
  "budget.created": "A budget was created.",
  "budget.updated": "A budget changed, or moved to a status without an event of its own.",
  "budget.approved": "A budget was approved.",
  "budget.rejected": "A budget was rejected.",
  "budget.expired": "A budget expired.",
  "budget.deleted": "A budget was deleted.",
  "budget.viewed": "The customer opened the page of a budget for the first time.",
  "budget.change_requested": "The customer asked for a change of a budget.",
  "customer.created": "A customer was created.",
  "customer.updated": "A customer changed or was restored.",
  "customer.deleted": "A customer was deleted.",
  "product.created": "A product was created.",
  "product.updated": "A product changed or was restored.",
  "product.deleted": "A product was deleted.",
};

const SIGNATURES: readonly (readonly [name: string, description: string])[] = [
  ["X-Service-Signature", "`sha256=` and the HMAC-SHA256 of the raw body with the webhook secret, in hexadecimal."],
  ["webhook-id", "The id of the delivery, the same at each attempt; also in metadata.delivery_id."],
  ["webhook-timestamp", "The time of this attempt, in seconds since 1970."],
  ["webhook-signature", "Signatures of id, time and body by Standard Webhooks, one for each valid secret."],
];

/** The callbacks to subscribers, one for each event. */
export function callbacksOf(
  schemas: ReadonlyMap<EventType, z.ZodType>,
  examples: Readonly<Record<string, unknown>>,
  { schemaOf }: SchemaWriter,
): Json {
  const entries = [...schemas].map(([event, payload]) => {
    const schema = schemaOf(payload, "output");
    const operation = {
      operationId: event.replace(/[._](.)/g, (_, letter: string) => letter.toUpperCase()),
      summary: WHEN[event],
      description: "Signed. Sent at least once and retried until accepted; the order is not guaranteed.",
      tags: ["Webhooks"],
      security: [],
      parameters: SIGNATURES.map(([name, description]) => ({
        name,
        in: "header",
        required: true,
        description,
        schema: { type: "string" },
      })),
      requestBody: { required: true, content: { "application/json": { schema, example: examples[event] } } },
      responses: {
        "2XX": { description: "Accepted within 30 seconds. Any other response is a failure, and retried later." },
        "410": { description: "Gone: the endpoint is disabled and receives no more callbacks." },
      },
    };
    return [event, { post: operation }];
  });
  return Object.fromEntries(entries);
}

/** The payload of each event. */
export function callbackSchemas(): ReadonlyMap<EventType, z.ZodType> {
  const budget = z
    .looseObject({
      id: z.string(),
      number: z.string().optional().describe("Absent = the budget has none."),
      customerId: z.string(),
      total: z.number(),
      currency: z.string(),
      status: z.enum(BUDGET_STATUSES),
      createdAt: timestampView,
      customer: z.looseObject({ id: z.string(), name: z.string().nullable(), email: z.string().nullable() }),
    })
    .meta({ id: "BudgetEventData" });
  const changeRequested = budget.extend({ changeRequest: changeRequestViewSchema }).meta({ id: "ChangeRequestedData" });
  const deleted = z.looseObject({ id: z.string(), deletedAt: timestampView }).meta({ id: "DeletedEventData" });
  const truncated = z
    .looseObject({ id: z.string(), name: z.string(), truncated: z.literal(true), fields: z.array(z.string()) })
    .meta({
      id: "TruncatedEventData",
      description: "Replaces a record of more than 16 KiB; `fields` lists the changed fields.",
    });
  const previous = z
    .looseObject({ previous: z.record(z.string(), z.unknown()).describe("The previous values of the changed fields.") })
    .meta({ id: "PreviousValues" });
  const dataOf = (event: EventType): z.ZodType => {
    const [group, act] = event.split(".");
    if (act === "change_requested") return changeRequested;
    if (group === "budget") return budget;
    if (act === "deleted") return deleted;
    const view = group === "customer" ? customers.viewSchema : products.viewSchema;
    return z.union([act === "updated" ? z.intersection(view, previous) : view, truncated]);
  };
  return new Map(
    EVENT_TYPES.map((event) => [event, webhookPayloadSchema.extend({ event: z.literal(event), data: dataOf(event) })]),
  );
}
