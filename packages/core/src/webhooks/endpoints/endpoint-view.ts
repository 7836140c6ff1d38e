import { z } from "zod";
import { allowedIps, webhookSecret } from "../../access/keys/key-input.js";
import { eventPatterns } from "../../events/event-pattern.js";
import { timestampOrNull, toTimestamp } from "../../kernel/clock.js";
import { paginationSchema, SIZES, timestampView } from "../../kernel/fields.js";
import { retryPolicy } from "../deliveries/retry-policy.js";
import { ENDPOINT_STATUSES, ORDERINGS, type WebhookEndpoint } from "../endpoint.js";
import { eventFilter } from "../filters/filter-schema.js";

const settings = {
  /** Free text; null = none. */
  description: z.string().max(SIZES.description).nullish(),
  /** Names and patterns such as `budget.*`. Null, and none at creation, is every event. */
  events: eventPatterns
    .nullish()
    .describe("Names and patterns such as `budget.*`. Null, and none at creation, is every event."),
  /** Conditions on the data of the events; null = none. */
  filter: eventFilter.nullish(),
  /** Signs the callbacks; made by the service when left out. */
  secret: webhookSecret.nullish(),
  /** Addresses and CIDR ranges that may use it; null = any. */
  allowedIps: allowedIps.nullish(),
  /** Null is 0, 60, 300, 1800, 7200 and 43200 seconds. */
  retryPolicy: retryPolicy.nullish().describe("Null is 0, 60, 300, 1800, 7200 and 43200 seconds."),
  /** Only an ACTIVE endpoint is called. */
  status: z.enum(ENDPOINT_STATUSES).optional(),
  /** With subject, the events of one budget, customer or product come one after the other; none at creation is none. */
  ordering: z
    .enum(ORDERINGS)
    .optional()
    .describe("With subject, the events of one budget, customer or product come one after the other. Default: none."),
};

/** The operation checks the destination of the URL. Source: contract, Events, delivery rule 6. */
export const createEndpointSchema = z
  .object({
    /** Where callbacks go. */
    url: z.string(),
    ...settings,
  })
  .meta({ id: "CreateWebhook" });
/** The settings of a new webhook endpoint. */
export interface CreateWebhook extends z.input<typeof createEndpointSchema> {}
export type CreateEndpointInput = z.output<typeof createEndpointSchema>;

/** Absent fields keep their values; a new secret begins the grace period of a rotation. */
export const updateEndpointSchema = z
  .object({
    /** Where callbacks go. */
    url: z.string().optional(),
    ...settings,
  })
  .meta({ id: "UpdateWebhook" });
/** Changes of a webhook endpoint. Fields that are left out keep their values. */
export interface UpdateWebhook extends z.input<typeof updateEndpointSchema> {}
export type UpdateEndpointInput = z.output<typeof updateEndpointSchema>;

/** Without a secret the service makes one. */
export const rotateEndpointSecretSchema = z.object({ secret: webhookSecret.nullish() });
export type RotateEndpointSecretInput = z.output<typeof rotateEndpointSecretSchema>;

export const endpointViewSchema = z
  .object({
    /** Assigned by the service. */
    id: z.string(),
    /** Where callbacks go. */
    url: z.string(),
    /** Free text; null = none. */
    description: z.string().nullable(),
    /** Null = every event. */
    events: eventPatterns.nullable().describe("Null = every event."),
    /** Conditions on the data of the events; absent = none. */
    filter: eventFilter.optional(),
    /** Only an ACTIVE endpoint is called. */
    status: z.enum(ENDPOINT_STATUSES),
    /** Null = the service has not disabled it. */
    disabledReason: z.string().nullable().describe("Null = the service has not disabled it."),
    /** Addresses and CIDR ranges that may use it; null = any. */
    allowedIps: z.array(z.string()).nullable(),
    /** When failed calls are repeated. */
    retryPolicy,
    /** Absent = none. */
    ordering: z.enum(ORDERINGS).optional().describe("Absent = none."),
    /** Null = the last attempt succeeded, or none was made. */
    failingSince: timestampView.nullable().describe("Null = the last attempt succeeded, or none was made."),
    /** ISO 8601, in UTC. */
    createdAt: timestampView,
    /** Of the last change. ISO 8601, in UTC. */
    updatedAt: timestampView,
  })
  .meta({ id: "Webhook" });
export type EndpointView = z.infer<typeof endpointViewSchema>;

/** The response to a creation includes the secret that signs callbacks. */
export const createdEndpointViewSchema = endpointViewSchema
  .extend({
    /** Signs the callbacks; made by the service when left out. */
    secret: z.string(),
  })
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
    ...(endpoint.filter === undefined ? {} : { filter: structuredClone(endpoint.filter) }),
    status: endpoint.status,
    disabledReason: endpoint.disabledReason,
    allowedIps: copyOf(endpoint.allowedIps),
    retryPolicy: { delaysSeconds: [...endpoint.retryDelaysSeconds] },
    ...(endpoint.ordering === undefined ? {} : { ordering: endpoint.ordering }),
    failingSince: timestampOrNull(endpoint.failingSince),
    createdAt: toTimestamp(endpoint.createdAt),
    updatedAt: toTimestamp(endpoint.updatedAt),
  };
}

function copyOf<T>(list: readonly T[] | null): T[] | null {
  return list === null ? null : [...list];
}
