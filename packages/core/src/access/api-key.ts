import type { Scope } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import type { Tier } from "./business.js";

/** ACTIVE and SUSPENDED may change into each other; REVOKED is final. */
export const KEY_STATUSES = ["ACTIVE", "SUSPENDED", "REVOKED"] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

/** An integration's credential. The service stores only the digest of the key. */
export interface ApiKey {
  readonly businessId: string;
  readonly id: string;
  readonly version: number; // from 1; every write adds one, except that of lastUsedAt
  readonly name: string;
  readonly description: string | null; // null = none
  readonly scopes: readonly Scope[];
  readonly status: KeyStatus;
  readonly rateLimitPerHour: number; // as set; the tier may allow less (rateWithin)
  readonly allowedIps: readonly string[] | null; // canonical addresses and CIDR ranges; null = any address
  readonly expiresAt: Instant | null; // null = never expires
  readonly webhookUrl: string | null; // null = no callbacks
  readonly sealedWebhookSecret: string; // encrypted at rest
  readonly previousSealedWebhookSecret: string | null; // signs too until previousWebhookSecretUntil; null = none
  readonly previousWebhookSecretUntil: Instant | null; // null = no previous secret
  readonly keyPrefix: string;
  readonly keyHash: string;
  readonly previousKeyHash: string | null; // still accepted until previousKeyExpiresAt; null = none
  readonly previousKeyExpiresAt: Instant | null; // null = no previous key
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly revokedAt: Instant | null; // null = not revoked
  readonly lastUsedAt: Instant | null; // to the minute; null = never used
}

/** The key that a request presents, with the present tier of its business. */
export interface PresentedKey extends ApiKey {
  readonly tier: Tier;
}

/** Per business. Each event makes one delivery per subscriber, so the number of subscribers must be limited. */
export const MAX_KEYS_WITH_WEBHOOK = 100;
