import { z } from "zod";
import { allowedIps, webhookSecret } from "../access/key-input.js";
import { EVENT_TYPES } from "../events/event.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import { paginationSchema, SIZES, timestampView } from "../kernel/fields.js";
import { ENDPOINT_STATUSES, type WebhookEndpoint } from "./endpoint.js";

const MAX_ATTEMPTS = 12;
const MIN_DELAY_SECONDS = 1;
const MAX_DELAY_SECONDS = 24 * 60 * 60;

const events = z
  .array(z.enum(EVENT_TYPES))
  .min(1)
  .refine((given) => new Set(given).size === given.length, { message: "must name each event once" });

/** The first attempt is made at once; each later one keeps a distance, or a dozen at once would hammer the receiver. */
const delaysSeconds = z
  .array(z.int().min(0).max(MAX_DELAY_SECONDS))
  .min(1)
  .max(MAX_ATTEMPTS)
  .refine((delays) => delays[0] === 0, { message: "must begin with 0: the first attempt is made at once" })
  .superRefine((delays, context) => {
    for (const [index, delay] of delays.entries()) {
      if (index === 0 || delay >= MIN_DELAY_SECONDS) continue;
      context.addIssue({
        code: "custom",
        path: [index],
        message: `must be at least ${MIN_DELAY_SECONDS}: only the first attempt is made at once`,
        params: { code: "MIN_VALUE" },
      });
    }
  });

/** Seconds from one attempt to the next, one entry an attempt. */
const retryPolicy = z
  .object({ delaysSeconds })
  .meta({ id: "RetryPolicy", description: "Seconds from one attempt to the next, one entry an attempt." });

const settings = {
  description: z.string().max(SIZES.description).nullish(),
  events: events.nullish().describe("Null, and none at creation, is every event."),
  secret: webhookSecret.nullish(),
  allowedIps: allowedIps.nullish(),
  retryPolicy: retryPolicy.nullish().describe("Null is 0, 60, 300, 1800, 7200 and 43200 seconds."),
  status: z.enum(ENDPOINT_STATUSES).optional(),
};

/** Where the URL may lead is checked by the operation. Source: contract, Events, delivery rule 6. */
export const createEndpointSchema = z.object({ url: z.string(), ...settings }).meta({ id: "CreateWebhook" });
export type CreateEndpointInput = z.output<typeof createEndpointSchema>;

/** What is absent stays as it is; a new secret takes over with the grace of a rotation. */
export const updateEndpointSchema = z.object({ url: z.string().optional(), ...settings }).meta({ id: "UpdateWebhook" });
export type UpdateEndpointInput = z.output<typeof updateEndpointSchema>;

/** A secret of one's own, or a new one by default. */
export const rotateEndpointSecretSchema = z.object({ secret: webhookSecret.nullish() });
export type RotateEndpointSecretInput = z.output<typeof rotateEndpointSecretSchema>;

export const endpointViewSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    description: z.string().nullable(),
    events: z.array(z.enum(EVENT_TYPES)).nullable().describe("Null = every event."),
    status: z.enum(ENDPOINT_STATUSES),
    disabledReason: z.string().nullable().describe("Null = the service has not disabled it."),
    allowedIps: z.array(z.string()).nullable(),
    retryPolicy,
    failingSince: timestampView.nullable().describe("Null = the last attempt succeeded, or none was made."),
    createdAt: timestampView,
    updatedAt: timestampView,
  })
  .meta({ id: "Webhook" });
export type EndpointView = z.infer<typeof endpointViewSchema>;

/** The answer to a creation, with the secret that callbacks are signed with. */
export const createdEndpointViewSchema = endpointViewSchema
  .extend({ secret: z.string() })
  .meta({ id: "CreatedWebhook" });
export type CreatedEndpointView = z.infer<typeof createdEndpointViewSchema>;

export const endpointListSchema = z.object({ data: z.array(endpointViewSchema), pagination: paginationSchema });
export type EndpointList = z.infer<typeof endpointListSchema>;

export const deletedEndpointViewSchema = z.object({ id: z.string(), deletedAt: timestampView });
export type DeletedEndpointView = z.infer<typeof deletedEndpointViewSchema>;

export const endpointSecretViewSchema = z.object({ secret: z.string() });
export type EndpointSecretView = z.infer<typeof endpointSecretViewSchema>;

/** The answer to a rotation; the former secret signs as well until previousSecretUntil. */
export const rotatedEndpointSecretViewSchema = endpointSecretViewSchema.extend({ previousSecretUntil: timestampView });
export type RotatedEndpointSecretView = z.infer<typeof rotatedEndpointSecretViewSchema>;

export function endpointViewOf(endpoint: WebhookEndpoint): EndpointView {
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    events: copyOf(endpoint.events),
    status: endpoint.status,
    disabledReason: endpoint.disabledReason,
    allowedIps: copyOf(endpoint.allowedIps),
    retryPolicy: { delaysSeconds: [...endpoint.retryDelaysSeconds] },
    failingSince: timestampOf(endpoint.failingSince),
    createdAt: toTimestamp(endpoint.createdAt),
    updatedAt: toTimestamp(endpoint.updatedAt),
  };
}

function copyOf<T>(list: readonly T[] | null): T[] | null {
  return list === null ? null : [...list];
}

function timestampOf(instant: Instant | null): string | null {
  return instant === null ? null : toTimestamp(instant);
}
