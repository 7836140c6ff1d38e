import { z } from "zod";
import {
  createKeySchema,
  regenerateKeySchema,
  rotateWebhookSecretSchema,
  updateKeySchema,
} from "../../access/keys/key-input.js";
import {
  apiKeyListSchema,
  apiKeyViewSchema,
  type CreatedKeyView,
  createdKeyViewSchema,
  regeneratedKeyViewSchema,
  revokedKeyViewSchema,
  rotatedSecretViewSchema,
  webhookSecretViewSchema,
} from "../../access/keys/key-view.js";
import { readWebhookSecret, rotateWebhookSecret } from "../../access/keys/key-webhook-secret.js";
import { createKey, getKey, listKeys, regenerateKey, revokeKey, updateKey } from "../../access/keys/manage-keys.js";
import { pageQuerySchema } from "../../kernel/fields.js";
import {
  byAdministrator,
  byUser,
  defineRoute,
  jsonBody,
  noInput,
  nothing,
  optionalJsonBody,
  type Route,
  withoutBody,
} from "../route.js";

const keyParams = z.object({ keyId: z.string() });

/** The contract has these paths under two prefixes. */
function keyPaths(rest: string): [string, string] {
  return [`/api-keys${rest}`, `/api/developer/api-keys${rest}`];
}

export const apiKeyRoutes: readonly Route[] = [
  defineRoute({
    operationId: "createApiKey",
    summary: "Create an API key; only this response contains it",
    method: "POST",
    paths: keyPaths(""),
    ...byAdministrator,
    params: nothing,
    query: nothing,
    body: jsonBody(createKeySchema),
    success: { status: 201, schema: createdKeyViewSchema, headers: ["location"] },
    refusals: [403, 422],
    idempotent: true,
    secret: true,
    handler: ({ context, actor, body, commit }) =>
      commit(
        (view: CreatedKeyView) => ({ body: view, location: `/api-keys/${view.id}` }),
        (options) => createKey(context.access, actor, body, options),
      ),
  }),
  defineRoute({
    operationId: "listApiKeys",
    summary: "List API keys, newest first",
    method: "GET",
    paths: keyPaths(""),
    ...byUser,
    params: nothing,
    query: pageQuerySchema,
    body: withoutBody,
    success: { status: 200, schema: apiKeyListSchema },
    refusals: [403],
    handler: async ({ context, actor, query }) =>
      (await listKeys(context.access, actor, query)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "getApiKey",
    summary: "Get an API key",
    method: "GET",
    paths: keyPaths("/{keyId}"),
    ...byUser,
    params: keyParams,
    ...noInput,
    success: { status: 200, schema: apiKeyViewSchema },
    refusals: [403, 404],
    handler: async ({ context, actor, params }) =>
      (await getKey(context.access, actor, params.keyId)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "updateApiKey",
    summary: "Change an API key's settings or status",
    method: "PUT",
    paths: keyPaths("/{keyId}"),
    ...byAdministrator,
    params: keyParams,
    query: nothing,
    body: jsonBody(updateKeySchema),
    success: { status: 200, schema: apiKeyViewSchema },
    refusals: [403, 404, 409, 422],
    handler: async ({ context, actor, params, body, now }) =>
      (await updateKey(context.access, actor, params.keyId, body, now)).map((view) => ({ body: view })),
  }),
  defineRoute({
    operationId: "revokeApiKey",
    summary: "Revoke an API key permanently",
    method: "DELETE",
    paths: keyPaths("/{keyId}"),
    ...byAdministrator,
    params: keyParams,
    ...noInput,
    success: { status: 200, schema: z.object({ data: revokedKeyViewSchema, message: z.string() }) },
    refusals: [403, 404, 409],
    handler: async ({ context, actor, params, now }) =>
      (await revokeKey(context.access, actor, params.keyId, now)).map((data) => ({
        body: { data, message: "API key revoked." },
      })),
  }),
  defineRoute({
    operationId: "regenerateApiKey",
    summary: "Replace an API key by a new one with the same id",
    method: "POST",
    paths: keyPaths("/{keyId}/regenerate"),
    ...byAdministrator,
    params: keyParams,
    query: nothing,
    body: optionalJsonBody(regenerateKeySchema),
    success: { status: 200, schema: regeneratedKeyViewSchema },
    refusals: [403, 404, 409, 422],
    secret: true,
    handler: async ({ context, actor, params, body, now }) =>
      (await regenerateKey(context.access, actor, params.keyId, body, now)).map((view) => ({ body: view })),
  }),
  defineRoute({
    operationId: "readWebhookSecret",
    summary: "Get the signing secret of the key's webhooks",
    method: "GET",
    paths: keyPaths("/{keyId}/webhook-secret"),
    ...byAdministrator,
    params: keyParams,
    ...noInput,
    success: { status: 200, schema: webhookSecretViewSchema },
    refusals: [403, 404],
    secret: true,
    handler: async ({ context, actor, params, now }) =>
      (await readWebhookSecret(context.access, actor, params.keyId, now)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "rotateWebhookSecret",
    summary: "Replace the signing secret of the key's webhooks",
    method: "POST",
    paths: keyPaths("/{keyId}/webhook-secret/rotate"),
    ...byAdministrator,
    params: keyParams,
    query: nothing,
    body: optionalJsonBody(rotateWebhookSecretSchema),
    success: { status: 200, schema: rotatedSecretViewSchema },
    refusals: [403, 404, 409, 422],
    secret: true,
    handler: async ({ context, actor, params, body, now }) =>
      (await rotateWebhookSecret(context.access, actor, params.keyId, body, now)).map((view) => ({ body: view })),
  }),
];
