import { z } from "zod";
import {
  createKeySchema,
  regenerateKeySchema,
  rotateWebhookSecretSchema,
  updateKeySchema,
} from "../../access/key-input.js";
import type { CreatedKeyView } from "../../access/key-view.js";
import {
  apiKeyListSchema,
  apiKeyViewSchema,
  createdKeyViewSchema,
  regeneratedKeyViewSchema,
  revokedKeyViewSchema,
  rotatedSecretViewSchema,
  webhookSecretViewSchema,
} from "../../access/key-view-schema.js";
import { readWebhookSecret, rotateWebhookSecret } from "../../access/key-webhook-secret.js";
import { createKey, getKey, listKeys, regenerateKey, revokeKey, updateKey } from "../../access/manage-keys.js";
import { pageQuerySchema } from "../../kernel/fields.js";
import { defineRoute, jsonBody, noBody, nothing, optionalJsonBody, type Route } from "../route.js";

const keyParams = z.object({ keyId: z.string() });

/** Both places where the contract has these paths. */
function keyPaths(rest: string): [string, string] {
  return [`/api-keys${rest}`, `/api/developer/api-keys${rest}`];
}

export const apiKeyRoutes: readonly Route[] = [
  defineRoute({
    operationId: "createApiKey",
    summary: "Create an API key; the answer alone shows it",
    method: "POST",
    paths: keyPaths(""),
    surface: "management",
    auth: { kind: "user" },
    role: "administrator",
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
    surface: "management",
    auth: { kind: "user" },
    params: nothing,
    query: pageQuerySchema,
    body: noBody,
    success: { status: 200, schema: apiKeyListSchema },
    refusals: [403],
    handler: async ({ context, actor, query }) =>
      (await listKeys(context.access, actor, query)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "getApiKey",
    summary: "One API key",
    method: "GET",
    paths: keyPaths("/{keyId}"),
    surface: "management",
    auth: { kind: "user" },
    params: keyParams,
    query: nothing,
    body: noBody,
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
    surface: "management",
    auth: { kind: "user" },
    role: "administrator",
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
    summary: "Revoke an API key for good",
    method: "DELETE",
    paths: keyPaths("/{keyId}"),
    surface: "management",
    auth: { kind: "user" },
    role: "administrator",
    params: keyParams,
    query: nothing,
    body: noBody,
    success: { status: 200, schema: z.object({ data: revokedKeyViewSchema, message: z.string() }) },
    refusals: [403, 404, 409],
    handler: async ({ context, actor, params, now }) =>
      (await revokeKey(context.access, actor, params.keyId, now)).map((data) => ({
        body: { data, message: "API key revoked." },
      })),
  }),
  defineRoute({
    operationId: "regenerateApiKey",
    summary: "Put a new key in the place of the old one, under the same id",
    method: "POST",
    paths: keyPaths("/{keyId}/regenerate"),
    surface: "management",
    auth: { kind: "user" },
    role: "administrator",
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
    summary: "The secret that the key's callbacks are signed with",
    method: "GET",
    paths: keyPaths("/{keyId}/webhook-secret"),
    surface: "management",
    auth: { kind: "user" },
    role: "administrator",
    params: keyParams,
    query: nothing,
    body: noBody,
    success: { status: 200, schema: webhookSecretViewSchema },
    refusals: [403, 404],
    secret: true,
    handler: async ({ context, actor, params, now }) =>
      (await readWebhookSecret(context.access, actor, params.keyId, now)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "rotateWebhookSecret",
    summary: "Put a new secret in the place of the one that the key's callbacks are signed with",
    method: "POST",
    paths: keyPaths("/{keyId}/webhook-secret/rotate"),
    surface: "management",
    auth: { kind: "user" },
    role: "administrator",
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
