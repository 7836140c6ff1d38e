import type { z } from "zod";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import type { ApiKey } from "./api-key.js";
import type {
  apiKeyListSchema,
  apiKeyViewSchema,
  createdKeyViewSchema,
  regeneratedKeyViewSchema,
  revokedKeyViewSchema,
  rotatedSecretViewSchema,
  webhookSecretViewSchema,
} from "./key-view-schema.js";
export type ApiKeyView = z.infer<typeof apiKeyViewSchema>;
export type RegeneratedKeyView = z.infer<typeof regeneratedKeyViewSchema>;
export type CreatedKeyView = z.infer<typeof createdKeyViewSchema>;
export type ApiKeyList = z.infer<typeof apiKeyListSchema>;
export type RevokedKeyView = z.infer<typeof revokedKeyViewSchema>;
export type WebhookSecretView = z.infer<typeof webhookSecretViewSchema>;
export type RotatedSecretView = z.infer<typeof rotatedSecretViewSchema>;

export function apiKeyViewOf(key: ApiKey): ApiKeyView {
  return {
    id: key.id,
    name: key.name,
    description: key.description,
    scopes: [...key.scopes],
    status: key.status,
    rateLimitPerHour: key.rateLimitPerHour,
    allowedIps: key.allowedIps === null ? null : [...key.allowedIps],
    expiresAt: timestampOf(key.expiresAt),
    webhookUrl: key.webhookUrl,
    keyPrefix: key.keyPrefix,
    createdAt: toTimestamp(key.createdAt),
    updatedAt: toTimestamp(key.updatedAt),
    revokedAt: timestampOf(key.revokedAt),
    lastUsedAt: timestampOf(key.lastUsedAt),
  };
}

function timestampOf(instant: Instant | null): string | null {
  return instant === null ? null : toTimestamp(instant);
}
