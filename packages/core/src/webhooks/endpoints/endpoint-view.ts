import { z } from "zod";
import { allowedIps, webhookSecret } from "../../access/keys/key-input.js";
import { EVENT_TYPES } from "../../events/event.js";
import { timestampOrNull, toTimestamp } from "../../kernel/clock.js";
import { paginationSchema, SIZES, timestampView } from "../../kernel/fields.js";
import { retryPolicy } from "../deliveries/retry-policy.js";
import { ENDPOINT_STATUSES, type WebhookEndpoint } from "../endpoint.js";

const events = z
  .array(z.enum(EVENT_TYPES))
  .min(1)
  .refine((given) => new Set(given).size === given.length, { message: "must name each event once" });

const settings = {
  description: z.string().max(SIZES.description).nullish(),
  events: events.nullish().describe("Null, and none at creation, is every event."),
  secret: webhookSecret.nullish(),
  allowedIps: allowedIps.nullish(),
  retryPolicy: retryPolicy.nullish().describe("Null is 0, 60, 300, 1800, 7200 and 43200 seconds."),
  status: z.enum(ENDPOINT_STATUSES).optional(),
};

/** The operation checks the destination of the URL. Source: contract, Events, delivery rule 6. */
export const createEndpointSchema = z.object({ url: z.string(), ...settings }).meta({ id: "CreateWebhook" });
export type CreateEndpointInput = z.output<typeof createEndpointSchema>;

/** Absent fields keep their values; a new secret begins the grace period of a rotation. */
export const updateEndpointSchema = z.object({ url: z.string().optional(), ...settings }).meta({ id: "UpdateWebhook" });
export type UpdateEndpointInput = z.output<typeof updateEndpointSchema>;

/** Without a secret the service makes one. */
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

/** The response to a creation includes the secret that signs callbacks. */
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

/** The previous secret signs too until previousSecretUntil. */
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
    failingSince: timestampOrNull(endpoint.failingSince),
    createdAt: toTimestamp(endpoint.createdAt),
    updatedAt: toTimestamp(endpoint.updatedAt),
  };
}

function copyOf<T>(list: readonly T[] | null): T[] | null {
  return list === null ? null : [...list];
}
