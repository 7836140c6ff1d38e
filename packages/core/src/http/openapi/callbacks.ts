import { z } from "zod";
import { eventSchemas } from "../../event-schemas.js";
import { EVENT_TYPES, type EventType } from "../../events/event.js";
import { webhookPayloadSchema } from "../../signing/payload.js";
import type { Json, SchemaWriter } from "./json-schema.js";

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
      summary: eventSchemas[event].when,
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
  return new Map(
    EVENT_TYPES.map((event) => {
      const { data } = eventSchemas[event];
      return [event, webhookPayloadSchema.extend({ event: z.literal(event), data })];
    }),
  );
}
