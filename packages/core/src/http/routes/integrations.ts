import { z } from "zod";
import {
  createIntegrationSchema,
  deletedIntegrationViewSchema,
  integrationListSchema,
  integrationViewSchema,
  updateIntegrationSchema,
} from "../../integrations/integration-view.js";
import {
  createIntegration,
  deleteIntegration,
  getIntegration,
  listIntegrations,
  updateIntegration,
} from "../../integrations/manage-integrations.js";
import { pageQuerySchema } from "../../kernel/fields.js";
import { byAdministrator, byUser, defineRoute, jsonBody, noInput, nothing, type Route, withoutBody } from "../route.js";

const INTEGRATIONS = "/api/developer/integrations";
const integrationParams = z.object({ integrationId: z.string() });

/** Enough for the largest config with every character escaped. */
const BODY_LIMIT_BYTES = 128 * 1024;

export const integrationRoutes: readonly Route[] = [
  defineRoute({
    operationId: "listIntegrations",
    summary: "List integrations, newest first",
    method: "GET",
    paths: [INTEGRATIONS],
    ...byUser,
    params: nothing,
    query: pageQuerySchema,
    body: withoutBody,
    success: { status: 200, schema: integrationListSchema },
    refusals: [],
    handler: async ({ context, actor, query }) =>
      (await listIntegrations(context.integrations, actor, query)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "createIntegration",
    summary: "Create an integration: a record of a connected system with its key and webhooks",
    method: "POST",
    paths: [INTEGRATIONS],
    ...byAdministrator,
    params: nothing,
    query: nothing,
    body: jsonBody(createIntegrationSchema),
    bodyLimitBytes: BODY_LIMIT_BYTES,
    success: { status: 201, schema: integrationViewSchema, headers: ["location"] },
    refusals: [404, 422],
    handler: async ({ context, actor, body }) =>
      (await createIntegration(context.integrations, actor, body)).map((view) => ({
        body: view,
        location: `${INTEGRATIONS}/${view.id}`,
      })),
  }),
  defineRoute({
    operationId: "getIntegration",
    summary: "Get an integration",
    method: "GET",
    paths: [`${INTEGRATIONS}/{integrationId}`],
    ...byUser,
    params: integrationParams,
    ...noInput,
    success: { status: 200, schema: integrationViewSchema },
    refusals: [404],
    handler: async ({ context, actor, params }) =>
      (await getIntegration(context.integrations, actor, params.integrationId)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "updateIntegration",
    summary: "Change an integration; `config` is replaced as a whole",
    method: "PUT",
    paths: [`${INTEGRATIONS}/{integrationId}`],
    ...byAdministrator,
    params: integrationParams,
    query: nothing,
    body: jsonBody(updateIntegrationSchema),
    bodyLimitBytes: BODY_LIMIT_BYTES,
    success: { status: 200, schema: integrationViewSchema },
    refusals: [404, 409, 422],
    handler: async ({ context, actor, params, body }) =>
      (await updateIntegration(context.integrations, actor, params.integrationId, body)).map((view) => ({
        body: view,
      })),
  }),
  defineRoute({
    operationId: "deleteIntegration",
    summary: "Delete an integration; its key and webhooks remain",
    method: "DELETE",
    paths: [`${INTEGRATIONS}/{integrationId}`],
    ...byAdministrator,
    params: integrationParams,
    ...noInput,
    success: { status: 200, schema: z.object({ data: deletedIntegrationViewSchema, message: z.string() }) },
    refusals: [404],
    handler: async ({ context, actor, params }) =>
      (await deleteIntegration(context.integrations, actor, params.integrationId)).map((data) => ({
        body: { data, message: "Integration deleted." },
      })),
  }),
];
