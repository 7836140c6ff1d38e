import { z } from "zod";
import { SCOPES } from "../../kernel/actor.js";
import { SIZES, wireDate } from "../../kernel/fields.js";
import { canonicalRange } from "../../kernel/ip-allow-list.js";
import { KEY_STATUSES } from "../api-key.js";

const MAX_ALLOWED_IPS = 100;
const MAX_GRACE_SECONDS = 7 * 24 * 60 * 60;

const name = z.string().min(1).max(SIZES.name);
const description = z.string().max(SIZES.description);

const scopes = z
  .array(z.enum(SCOPES))
  .min(1)
  .refine((given) => new Set(given).size === given.length, { message: "must name each scope once" });

const rateLimitPerHour = z.int().min(1);

const addressRange = z.string().transform((text, context): string => {
  const range = canonicalRange(text);
  if (range !== null) return range;
  context.addIssue({
    code: "custom",
    message: "must be an IP address or a CIDR range, such as 203.0.113.7 or 2001:db8::/32",
    params: { code: "INVALID_FORMAT" },
  });
  return z.NEVER;
});

/** An empty list would block every address; null allows all of them. */
export const allowedIps = z.array(addressRange).min(1).max(MAX_ALLOWED_IPS);

/** The operation checks the destination, which depends on the host's options. */
const webhookUrl = z.string();

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const STANDARD_SECRET = "whsec_";

/** Any text, or the form of Standard Webhooks: `whsec_` and base64 of 24 to 64 bytes. */
export const webhookSecret = z
  .string()
  .min(16)
  .max(256)
  .refine((secret) => !secret.startsWith(STANDARD_SECRET) || isStandardSecret(secret), {
    message: "must be base64 of 24 to 64 bytes behind whsec_",
    params: { code: "INVALID_FORMAT" },
  });

function isStandardSecret(secret: string): boolean {
  const encoded = secret.slice(STANDARD_SECRET.length);
  const bytes = Buffer.byteLength(encoded, "base64");
  return BASE64.test(encoded) && bytes >= 24 && bytes <= 64;
}

/** Source: contract, API key. */
export const createKeySchema = z
  .object({
    /** For people to read. */
    name,
    /** Free text; null = none. */
    description: description.nullish(),
    /** What the key may do. */
    scopes,
    /** Requests per hour at most. Default: that of the business's tier. */
    rateLimitPerHour: rateLimitPerHour.optional(),
    /** Addresses and CIDR ranges that may use it; null = any. */
    allowedIps: allowedIps.nullish(),
    /** When the key ends by itself. ISO 8601; null = never. */
    expiresAt: wireDate.nullish(),
    /** Where callbacks of the key go; null = nowhere. */
    webhookUrl: webhookUrl.nullish(),
    /** Signs the callbacks; made by the service when left out. */
    webhookSecret: webhookSecret.nullish(),
  })
  .meta({ id: "CreateApiKey" });
/** The settings of a new API key. */
export interface CreateApiKey extends z.input<typeof createKeySchema> {}
export type CreateKeyInput = z.output<typeof createKeySchema>;

/**
 * Absent fields keep their values; a webhookSecret begins the grace period of a rotation, null keeps it. Source: contract,
 * API key management, Update.
 */
export const updateKeySchema = z
  .object({
    /** For people to read. */
    name: name.optional(),
    /** Free text; null = none. */
    description: description.nullish(),
    /** What the key may do. */
    scopes: scopes.optional(),
    /** SUSPENDED can be undone, REVOKED cannot. */
    status: z.enum(KEY_STATUSES).optional(),
    /** Requests per hour at most. Default: that of the business's tier. */
    rateLimitPerHour: rateLimitPerHour.optional(),
    /** Addresses and CIDR ranges that may use it; null = any. */
    allowedIps: allowedIps.nullish(),
    /** When the key ends by itself. ISO 8601; null = never. */
    expiresAt: wireDate.nullish(),
    /** Where callbacks of the key go; null = nowhere. */
    webhookUrl: webhookUrl.nullish(),
    /** Signs the callbacks; made by the service when left out. */
    webhookSecret: webhookSecret.nullish(),
  })
  .meta({ id: "UpdateApiKey" });
/** Changes of an API key. Fields that are left out keep their values. */
export interface UpdateApiKey extends z.input<typeof updateKeySchema> {}
export type UpdateKeyInput = z.output<typeof updateKeySchema>;

/** Without a secret the service makes one. */
export const rotateWebhookSecretSchema = z.object({ webhookSecret: webhookSecret.nullish() });
export type RotateWebhookSecretInput = z.output<typeof rotateWebhookSecretSchema>;

export const regenerateKeySchema = z.object({
  gracePeriodSeconds: z.int().min(0).max(MAX_GRACE_SECONDS).default(0),
});
export type RegenerateKeyInput = z.output<typeof regenerateKeySchema>;
