import { z } from "zod";
import { EVENT_TYPES } from "../events/event.js";
import { paginationSchema, timestampView } from "../kernel/fields.js";
import { ENDPOINT_STATUSES } from "./endpoint.js";
import { retryPolicy } from "./retry-policy.js";

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

/** The answer to a creation, with the secret that callbacks are signed with. */
export const createdEndpointViewSchema = endpointViewSchema
  .extend({ secret: z.string() })
  .meta({ id: "CreatedWebhook" });

export const endpointListSchema = z.object({ data: z.array(endpointViewSchema), pagination: paginationSchema });

export const deletedEndpointViewSchema = z.object({ id: z.string(), deletedAt: timestampView });

export const endpointSecretViewSchema = z.object({ secret: z.string() });

/** The answer to a rotation; the former secret signs as well until previousSecretUntil. */
export const rotatedEndpointSecretViewSchema = endpointSecretViewSchema.extend({ previousSecretUntil: timestampView });
