import { z } from "zod";
import { SCOPES } from "../kernel/actor.js";
import { paginationSchema, timestampView } from "../kernel/fields.js";
import { KEY_STATUSES } from "./api-key.js";

/** A key as its owner sees it, again and again. Source: contract, API key. */
export const apiKeyViewSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    scopes: z.array(z.enum(SCOPES)),
    status: z.enum(KEY_STATUSES),
    rateLimitPerHour: z.int(),
    allowedIps: z.array(z.string()).nullable().describe("Addresses and CIDR ranges; null = from anywhere."),
    expiresAt: timestampView.nullable(),
    webhookUrl: z.string().nullable(),
    keyPrefix: z.string().describe("How the key begins; all of it is shown when it is made."),
    createdAt: timestampView,
    updatedAt: timestampView,
    revokedAt: timestampView.nullable(),
    lastUsedAt: timestampView.nullable().describe("To the minute; null = never used."),
  })
  .meta({ id: "ApiKey" });

/** The answer to a regeneration: the only time the new key is shown. */
export const regeneratedKeyViewSchema = apiKeyViewSchema.extend({ key: z.string() }).meta({ id: "RegeneratedApiKey" });

/** The answer to a creation: the only time the key is shown. */
export const createdKeyViewSchema = regeneratedKeyViewSchema
  .extend({ webhookSecret: z.string() })
  .meta({ id: "CreatedApiKey" });

export const apiKeyListSchema = z.object({ data: z.array(apiKeyViewSchema), pagination: paginationSchema });

export const revokedKeyViewSchema = z
  .object({
    id: z.string(),
    status: z.literal("REVOKED"),
    revokedAt: timestampView,
  })
  .meta({ id: "RevokedApiKey" });

export const webhookSecretViewSchema = z.object({ webhookSecret: z.string() });

/** The answer to a rotation; the former secret signs as well until previousSecretUntil. */
export const rotatedSecretViewSchema = webhookSecretViewSchema.extend({ previousSecretUntil: timestampView });
