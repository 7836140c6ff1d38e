import type { Actor } from "../kernel/actor.js";
import { asQueryText, type Call, type Query } from "../kernel/call.js";
import { pageQuerySchema } from "../kernel/fields.js";
import {
  type CreateIntegration,
  createIntegrationSchema,
  type UpdateIntegration,
  updateIntegrationSchema,
} from "./integration-view.js";
import {
  createIntegration,
  deleteIntegration,
  getIntegration,
  type IntegrationContext,
  listIntegrations,
  updateIntegration,
} from "./manage-integrations.js";

/** The host's operations for integrations. */
export function createIntegrationOperations(context: IntegrationContext, call: Call) {
  return {
    create: (actor: Actor, input: CreateIntegration) =>
      call.with(actor, createIntegrationSchema, input, (parsed) => createIntegration(context, actor, parsed)),
    list: (actor: Actor, query: Query<typeof pageQuerySchema> = {}) =>
      call.with(actor, pageQuerySchema, asQueryText(query), (parsed) => listIntegrations(context, actor, parsed)),
    get: (actor: Actor, id: string) => call.plain(actor, () => getIntegration(context, actor, id)),
    update: (actor: Actor, id: string, input: UpdateIntegration) =>
      call.with(actor, updateIntegrationSchema, input, (parsed) => updateIntegration(context, actor, id, parsed)),
    delete: (actor: Actor, id: string) => call.plain(actor, () => deleteIntegration(context, actor, id)),
  };
}
export type IntegrationOperations = ReturnType<typeof createIntegrationOperations>;
