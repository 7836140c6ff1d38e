import { z } from "zod";
import { allowedIps, webhookSecret } from "../access/key-input.js";
import { EVENT_TYPES } from "../events/event.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import { SIZES } from "../kernel/fields.js";
import { ENDPOINT_STATUSES, type WebhookEndpoint } from "./endpoint.js";
import type {
  createdEndpointViewSchema,
  deletedEndpointViewSchema,
  endpointListSchema,
  endpointSecretViewSchema,
  endpointViewSchema,
  rotatedEndpointSecretViewSchema,
} from "./endpoint-view-schema.js";
import { retryPolicy } from "./retry-policy.js";

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

/** Where the URL may lead is checked by the operation. Source: contract, Events, delivery rule 6. */
export const createEndpointSchema = z.object({ url: z.string(), ...settings }).meta({ id: "CreateWebhook" });
export type CreateEndpointInput = z.output<typeof createEndpointSchema>;

/** What is absent stays as it is; a new secret takes over with the grace of a rotation. */
export const updateEndpointSchema = z.object({ url: z.string().optional(), ...settings }).meta({ id: "UpdateWebhook" });
export type UpdateEndpointInput = z.output<typeof updateEndpointSchema>;

/** A secret of one's own, or a new one by default. */
export const rotateEndpointSecretSchema = z.object({ secret: webhookSecret.nullish() });
export type RotateEndpointSecretInput = z.output<typeof rotateEndpointSecretSchema>;

export type EndpointView = z.infer<typeof endpointViewSchema>;
export type CreatedEndpointView = z.infer<typeof createdEndpointViewSchema>;
export type EndpointList = z.infer<typeof endpointListSchema>;
export type DeletedEndpointView = z.infer<typeof deletedEndpointViewSchema>;
export type EndpointSecretView = z.infer<typeof endpointSecretViewSchema>;
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
