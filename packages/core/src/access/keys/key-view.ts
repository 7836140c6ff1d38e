import { z } from "zod";
import { SCOPES } from "../../kernel/actor.js";
import { timestampOrNull, toTimestamp } from "../../kernel/clock.js";
import { paginationSchema, timestampView } from "../../kernel/fields.js";
import { type ApiKey, KEY_STATUSES } from "../api-key.js";
import { rateWithin, type Tier } from "../business.js";

/** Source: contract, API key. */
export const apiKeyViewSchema = z
  .object({
    /** Assigned by the service. */
    id: z.string(),
    /** For people to read. */
    name: z.string(),
    /** Free text; null = none. */
    description: z.string().nullable(),
    /** What the key may do. */
    scopes: z.array(z.enum(SCOPES)),
    /** Only an ACTIVE key is accepted. */
    status: z.enum(KEY_STATUSES),
    /** As set, or the maximum of the business's tier if that is lower. */
    rateLimitPerHour: z.int().describe("As set, or the maximum of the business's tier if that is lower."),
    /** Addresses and CIDR ranges; null = from anywhere. */
    allowedIps: z.array(z.string()).nullable().describe("Addresses and CIDR ranges; null = from anywhere."),
    /** ISO 8601, in UTC; null = never. */
    expiresAt: timestampView.nullable(),
    /** Where callbacks of the key go; null = nowhere. */
    webhookUrl: z.string().nullable(),
    /** How the key begins; all of it is shown when it is made. */
    keyPrefix: z.string().describe("How the key begins; all of it is shown when it is made."),
    /** ISO 8601, in UTC. */
    createdAt: timestampView,
    /** Of the last change. ISO 8601, in UTC. */
    updatedAt: timestampView,
    /** When it was revoked. ISO 8601, in UTC; null = it was not. */
    revokedAt: timestampView.nullable(),
    /** To the minute; null = never used. */
    lastUsedAt: timestampView.nullable().describe("To the minute; null = never used."),
  })
  .meta({ id: "ApiKey" });
export type ApiKeyView = z.infer<typeof apiKeyViewSchema>;

/** Only the response to a regeneration shows the new key. */
export const regeneratedKeyViewSchema = apiKeyViewSchema
  .extend({
    /** The key. It is shown only once. */
    key: z.string(),
  })
  .meta({ id: "RegeneratedApiKey" });
export type RegeneratedKeyView = z.infer<typeof regeneratedKeyViewSchema>;

/** Only the response to a creation shows the key. */
export const createdKeyViewSchema = regeneratedKeyViewSchema
  .extend({
    /** Signs the callbacks of the key. */
    webhookSecret: z.string(),
  })
  .meta({ id: "CreatedApiKey" });
export type CreatedKeyView = z.infer<typeof createdKeyViewSchema>;

export const apiKeyListSchema = z.object({ data: z.array(apiKeyViewSchema), pagination: paginationSchema });
export type ApiKeyList = z.infer<typeof apiKeyListSchema>;

export const revokedKeyViewSchema = z
  .object({
    id: z.string(),
    status: z.literal("REVOKED"),
    revokedAt: timestampView,
  })
  .meta({ id: "RevokedApiKey" });
export type RevokedKeyView = z.infer<typeof revokedKeyViewSchema>;

export const webhookSecretViewSchema = z.object({ webhookSecret: z.string() });
export type WebhookSecretView = z.infer<typeof webhookSecretViewSchema>;

/** The previous secret signs too until previousSecretUntil. */
export const rotatedSecretViewSchema = webhookSecretViewSchema.extend({ previousSecretUntil: timestampView });
export type RotatedSecretView = z.infer<typeof rotatedSecretViewSchema>;

/** `tier` is the present one of the business: it limits the rate. */
export function apiKeyViewOf(key: ApiKey, tier: Tier): ApiKeyView {
  return {
    id: key.id,
    name: key.name,
    description: key.description,
    scopes: [...key.scopes],
    status: key.status,
    rateLimitPerHour: rateWithin(tier, key.rateLimitPerHour),
    allowedIps: key.allowedIps === null ? null : [...key.allowedIps],
    expiresAt: timestampOrNull(key.expiresAt),
    webhookUrl: key.webhookUrl,
    keyPrefix: key.keyPrefix,
    createdAt: toTimestamp(key.createdAt),
    updatedAt: toTimestamp(key.updatedAt),
    revokedAt: timestampOrNull(key.revokedAt),
    lastUsedAt: timestampOrNull(key.lastUsedAt),
  };
}
