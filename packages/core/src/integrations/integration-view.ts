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
  description: z.string().max(SIZES.description).nullish(),
  status: z.enum(INTEGRATION_STATUSES).optional(),
  apiKeyId: assignedId.nullish(),
  webhookIds: webhookIds.optional(),
  config: metadata.optional(),
};

/** Source: contract, Developer-dashboard paths; the shape is this project's. */
export const createIntegrationSchema = z.object({ name, ...settings }).meta({ id: "CreateIntegration" });
export type CreateIntegrationInput = z.output<typeof createIntegrationSchema>;

/** Absent fields keep their values; webhookIds and config are replaced as a whole. */
export const updateIntegrationSchema = z
  .object({ name: name.optional(), ...settings })
  .meta({ id: "UpdateIntegration" });
export type UpdateIntegrationInput = z.output<typeof updateIntegrationSchema>;

export const integrationViewSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    status: z.enum(INTEGRATION_STATUSES),
    apiKeyId: z.string().nullable(),
    webhookIds: z.array(z.string()),
    config: z.record(z.string(), z.unknown()),
    createdAt: timestampView,
    updatedAt: timestampView,
  })
  .meta({ id: "Integration" });
export type IntegrationView = z.infer<typeof integrationViewSchema>;

export const integrationListSchema = z.object({
  data: z.array(integrationViewSchema),
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
