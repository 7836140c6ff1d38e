import { z } from "zod";
import { toTimestamp } from "../kernel/clock.js";
import { metadata, paginationSchema, SIZES, timestampView } from "../kernel/fields.js";
import { INTEGRATION_STATUSES, type Integration } from "./integration.js";

const MAX_WEBHOOKS = 50;

const assignedId = z.string().min(1).max(SIZES.id);
const name = z.string().min(1).max(SIZES.name);

const webhookIds = z
  .array(assignedId)
  .max(MAX_WEBHOOKS)
  .refine((ids) => new Set(ids).size === ids.length, { message: "must name each webhook once" });

const settings = {
  /** Free text; null = none. */
  description: z.string().max(SIZES.description).nullish(),
  /** ACTIVE or not, as the client sets it. */
  status: z.enum(INTEGRATION_STATUSES).optional(),
  /** The key that the system uses; null = none. */
  apiKeyId: assignedId.nullish(),
  /** The webhook endpoints of the system. */
  webhookIds: webhookIds.optional(),
  /** Free data of the client. */
  config: metadata.optional(),
};

/** Source: contract, Developer-dashboard paths; the shape is this project's. */
export const createIntegrationSchema = z
  .object({
    /** For people to read. */
    name,
    ...settings,
  })
  .meta({ id: "CreateIntegration" });
/** The settings of a new integration. */
export interface CreateIntegration extends z.input<typeof createIntegrationSchema> {}
export type CreateIntegrationInput = z.output<typeof createIntegrationSchema>;

/** Absent fields keep their values; webhookIds and config are replaced as a whole. */
export const updateIntegrationSchema = z
  .object({
    /** For people to read. */
    name: name.optional(),
    ...settings,
  })
  .meta({ id: "UpdateIntegration" });
/** Changes of an integration. Fields that are left out keep their values. */
export interface UpdateIntegration extends z.input<typeof updateIntegrationSchema> {}
export type UpdateIntegrationInput = z.output<typeof updateIntegrationSchema>;

export const integrationViewSchema = z
  .object({
    /** Assigned by the service. */
    id: z.string(),
    /** For people to read. */
    name: z.string(),
    /** Free text; null = none. */
    description: z.string().nullable(),
    /** ACTIVE or not, as the client sets it. */
    status: z.enum(INTEGRATION_STATUSES),
    /** The key that the system uses; null = none. */
    apiKeyId: z.string().nullable(),
    /** The webhook endpoints of the system. */
    webhookIds: z.array(z.string()),
    /** Free data of the client. */
    config: z.record(z.string(), z.unknown()),
    /** ISO 8601, in UTC. */
    createdAt: timestampView,
    /** Of the last change. ISO 8601, in UTC. */
    updatedAt: timestampView,
  })
  .meta({ id: "Integration" });
export type IntegrationView = z.infer<typeof integrationViewSchema>;

export const integrationListSchema = z.object({
  /** The entries of this page. */
  data: z.array(integrationViewSchema),
  /** Which page this is, and how many there are. */
  pagination: paginationSchema,
});
export type IntegrationList = z.infer<typeof integrationListSchema>;

export const deletedIntegrationViewSchema = z.object({ id: z.string(), deletedAt: timestampView });
export type DeletedIntegrationView = z.infer<typeof deletedIntegrationViewSchema>;

export function integrationViewOf(integration: Integration): IntegrationView {
  return {
    id: integration.id,
    name: integration.name,
    description: integration.description,
    status: integration.status,
    apiKeyId: integration.apiKeyId,
    webhookIds: [...integration.webhookIds],
    config: { ...integration.config },
    createdAt: toTimestamp(integration.createdAt),
    updatedAt: toTimestamp(integration.updatedAt),
  };
}
