import { z } from "zod";
import { pageQuerySchema } from "../../kernel/fields.js";
import {
  endpointTestSchema,
  type TestView,
  testSchema,
  testViewSchema,
} from "../../webhooks/deliveries/delivery-view.js";
import { testEndpoint, testKey } from "../../webhooks/dispatch/test-delivery.js";
import {
  createdEndpointViewSchema,
  createEndpointSchema,
  deletedEndpointViewSchema,
  endpointListSchema,
  endpointSecretViewSchema,
  endpointViewSchema,
  rotatedEndpointSecretViewSchema,
  rotateEndpointSecretSchema,
  updateEndpointSchema,
} from "../../webhooks/endpoints/endpoint-view.js";
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  readEndpointSecret,
  rotateEndpointSecret,
  updateEndpoint,
} from "../../webhooks/endpoints/manage-endpoints.js";
import { filterTestViewSchema, testFilter, testFilterSchema } from "../../webhooks/endpoints/test-filter.js";
import { cancelReplay, getReplay, startReplay } from "../../webhooks/replays/manage-replays.js";
import { replayViewSchema, startReplaySchema } from "../../webhooks/replays/replay-view.js";
import {
  byAdministrator,
  byUser,
  defineRoute,
  type JsonReply,
  jsonBody,
  noInput,
  nothing,
  optionalJsonBody,
  type Route,
  withoutBody,
} from "../route.js";

const WEBHOOKS = "/api/developer/webhooks";
const webhookParams = z.object({ webhookId: z.string() });
const testEnvelope = z.object({ data: testViewSchema, message: z.string() });

function testReply(data: TestView): JsonReply<z.input<typeof testEnvelope>> {
  const message = data.status === "delivered" ? "The test was delivered." : "The test could not be delivered.";
  return { body: { data, message } };
}

export const webhookRoutes: readonly Route[] = [
  defineRoute({
    operationId: "testWebhookUrl",
    summary: "Send a signed test callback to the key's webhookUrl",
    method: "POST",
    paths: ["/api/public/webhooks/test"],
    surface: "public",
    auth: { kind: "key", scope: "WEBHOOKS", keysAlone: true },
    params: nothing,
    query: nothing,
    body: jsonBody(testSchema),
    success: { status: 200, schema: testEnvelope },
    refusals: [422],
    handler: async ({ context, actor, body, now }) =>
      (await testKey(context.webhooks, actor, body, now)).map(testReply),
  }),
  defineRoute({
    operationId: "createWebhook",
    summary: "Create a webhook endpoint; the response contains its secret",
    method: "POST",
    paths: [WEBHOOKS],
    ...byAdministrator,
    params: nothing,
    query: nothing,
    body: jsonBody(createEndpointSchema),
    success: { status: 201, schema: createdEndpointViewSchema, headers: ["location"] },
    refusals: [404, 422],
    secret: true,
    handler: async ({ context, actor, body, now }) =>
      (await createEndpoint(context.webhooks, actor, body, now)).map((view) => ({
        body: view,
        location: `${WEBHOOKS}/${view.id}`,
      })),
  }),
  defineRoute({
    operationId: "listWebhooks",
    summary: "List webhook endpoints, newest first",
    method: "GET",
    paths: [WEBHOOKS],
    ...byUser,
    params: nothing,
    query: pageQuerySchema,
    body: withoutBody,
    success: { status: 200, schema: endpointListSchema },
    refusals: [],
    handler: async ({ context, actor, query }) =>
      (await listEndpoints(context.webhooks, actor, query)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "getWebhook",
    summary: "Get a webhook endpoint",
    method: "GET",
    paths: [`${WEBHOOKS}/{webhookId}`],
    ...byUser,
    params: webhookParams,
    ...noInput,
    success: { status: 200, schema: endpointViewSchema },
    refusals: [404],
    handler: async ({ context, actor, params }) =>
      (await getEndpoint(context.webhooks, actor, params.webhookId)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "updateWebhook",
    summary: "Change a webhook endpoint's settings or status",
    method: "PUT",
    paths: [`${WEBHOOKS}/{webhookId}`],
    ...byAdministrator,
    params: webhookParams,
    query: nothing,
    body: jsonBody(updateEndpointSchema),
    success: { status: 200, schema: endpointViewSchema },
    refusals: [404, 409, 422],
    handler: async ({ context, actor, params, body, now }) =>
      (await updateEndpoint(context.webhooks, actor, params.webhookId, body, now)).map((view) => ({ body: view })),
  }),
  defineRoute({
    operationId: "deleteWebhook",
    summary: "Delete a webhook endpoint and cancel its pending deliveries",
    method: "DELETE",
    paths: [`${WEBHOOKS}/{webhookId}`],
    ...byAdministrator,
    params: webhookParams,
    ...noInput,
    success: { status: 200, schema: z.object({ data: deletedEndpointViewSchema, message: z.string() }) },
    refusals: [404],
    handler: async ({ context, actor, params, now }) =>
      (await deleteEndpoint(context.webhooks, actor, params.webhookId, now)).map((data) => ({
        body: { data, message: "Webhook deleted." },
      })),
  }),
  defineRoute({
    operationId: "testWebhook",
    summary: "Send a signed test callback to a webhook endpoint",
    method: "POST",
    paths: [`${WEBHOOKS}/{webhookId}/test`],
    ...byAdministrator,
    params: webhookParams,
    query: nothing,
    body: optionalJsonBody(endpointTestSchema),
    success: { status: 200, schema: testEnvelope },
    refusals: [404, 429],
    handler: async ({ context, actor, params, body, now }) =>
      (await testEndpoint(context.webhooks, actor, params.webhookId, body, now)).map(testReply),
  }),
  defineRoute({
    operationId: "testWebhookFilter",
    summary: "Show which of the last events a filter selects; sends nothing",
    method: "POST",
    paths: [`${WEBHOOKS}/test-filter`],
    ...byAdministrator,
    params: nothing,
    query: nothing,
    body: optionalJsonBody(testFilterSchema),
    success: { status: 200, schema: z.object({ data: filterTestViewSchema }) },
    refusals: [404, 422],
    handler: async ({ context, actor, body }) =>
      (await testFilter(context.webhooks, actor, body)).map((data) => ({ body: { data } })),
  }),
  defineRoute({
    operationId: "startWebhookReplay",
    summary: "Send stored events to a webhook endpoint again, or for the first time",
    method: "POST",
    paths: [`${WEBHOOKS}/{webhookId}/replay`],
    ...byAdministrator,
    params: webhookParams,
    query: nothing,
    body: jsonBody(startReplaySchema),
    success: { status: 201, schema: z.object({ data: replayViewSchema }), headers: ["location"] },
    refusals: [404, 409, 422, 429],
    handler: async ({ context, actor, params, body, now }) =>
      (await startReplay(context.webhooks, actor, params.webhookId, body, now)).map((data) => ({
        body: { data },
        location: `${WEBHOOKS}/${data.webhookId}/replay`,
      })),
  }),
  defineRoute({
    operationId: "getWebhookReplay",
    summary: "Get the last replay to a webhook endpoint, and how far it is",
    method: "GET",
    paths: [`${WEBHOOKS}/{webhookId}/replay`],
    ...byUser,
    params: webhookParams,
    ...noInput,
    success: { status: 200, schema: z.object({ data: replayViewSchema }) },
    refusals: [404],
    handler: async ({ context, actor, params }) =>
      (await getReplay(context.webhooks, actor, params.webhookId)).map((data) => ({ body: { data } })),
  }),
  defineRoute({
    operationId: "cancelWebhookReplay",
    summary: "End the running replay to a webhook endpoint; the deliveries that it has made stay",
    method: "DELETE",
    paths: [`${WEBHOOKS}/{webhookId}/replay`],
    ...byAdministrator,
    params: webhookParams,
    ...noInput,
    success: { status: 200, schema: z.object({ data: replayViewSchema }) },
    refusals: [404, 409, 422],
    handler: async ({ context, actor, params, now }) =>
      (await cancelReplay(context.webhooks, actor, params.webhookId, now)).map((data) => ({ body: { data } })),
  }),
  defineRoute({
    operationId: "readWebhookEndpointSecret",
    summary: "Get the signing secret of a webhook endpoint",
    method: "GET",
    paths: [`${WEBHOOKS}/{webhookId}/secret`],
    ...byAdministrator,
    params: webhookParams,
    ...noInput,
    success: { status: 200, schema: endpointSecretViewSchema },
    refusals: [404],
    secret: true,
    handler: async ({ context, actor, params, now }) =>
      (await readEndpointSecret(context.webhooks, actor, params.webhookId, now)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "rotateWebhookEndpointSecret",
    summary: "Replace the signing secret of a webhook endpoint",
    method: "POST",
    paths: [`${WEBHOOKS}/{webhookId}/secret/rotate`],
    ...byAdministrator,
    params: webhookParams,
    query: nothing,
    body: optionalJsonBody(rotateEndpointSecretSchema),
    success: { status: 200, schema: rotatedEndpointSecretViewSchema },
    refusals: [404, 409],
    secret: true,
    handler: async ({ context, actor, params, body, now }) =>
      (await rotateEndpointSecret(context.webhooks, actor, params.webhookId, body, now)).map((view) => ({
        body: view,
      })),
  }),
];
