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
import { defineRoute, jsonBody, noBody, nothing, type Route } from "../route.js";

const INTEGRATIONS = "/api/developer/integrations";
const integrationParams = z.object({ integrationId: z.string() });

/** A config of the largest size, escaped as JSON may be, with the rest around it. */
const BODY_LIMIT_BYTES = 128 * 1024;

export const integrationRoutes: readonly Route[] = [
  defineRoute({
    operationId: "listIntegrations",
    summary: "List integrations, newest first",
    method: "GET",
    paths: [INTEGRATIONS],
    surface: "management",
    auth: { kind: "user" },
    params: nothing,
    query: pageQuerySchema,
    body: noBody,
    success: { status: 200, schema: integrationListSchema },
    refusals: [],
    handler: async ({ context, actor, query }) =>
      (await listIntegrations(context.integrations, actor, query)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "createIntegration",
    summary: "Create an integration: a record of what is connected, with its key and its webhooks",
    method: "POST",
    paths: [INTEGRATIONS],
    surface: "management",
    auth: { kind: "user" },
    role: "administrator",
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
    summary: "One integration",
    method: "GET",
    paths: [`${INTEGRATIONS}/{integrationId}`],
    surface: "management",
    auth: { kind: "user" },
    params: integrationParams,
    query: nothing,
    body: noBody,
    success: { status: 200, schema: integrationViewSchema },
    refusals: [404],
    handler: async ({ context, actor, params }) =>
      (await getIntegration(context.integrations, actor, params.integrationId)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "updateIntegration",
    summary: "Change an integration; config is replaced as a whole",
    method: "PUT",
    paths: [`${INTEGRATIONS}/{integrationId}`],
    surface: "management",
    auth: { kind: "user" },
    role: "administrator",
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
    summary: "Delete an integration; its key and its webhooks stay",
    method: "DELETE",
    paths: [`${INTEGRATIONS}/{integrationId}`],
    surface: "management",
    auth: { kind: "user" },
    role: "administrator",
    params: integrationParams,
    query: nothing,
    body: noBody,
    success: { status: 200, schema: z.object({ data: deletedIntegrationViewSchema, message: z.string() }) },
    refusals: [404],
    handler: async ({ context, actor, params }) =>
      (await deleteIntegration(context.integrations, actor, params.integrationId)).map((data) => ({
        body: { data, message: "Integration deleted." },
      })),
  }),
];
