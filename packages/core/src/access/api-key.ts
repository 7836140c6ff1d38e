import type { Scope } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";

/** The states of an API key. ACTIVE and SUSPENDED may change into each other; REVOKED is final. */
export const KEY_STATUSES = ["ACTIVE", "SUSPENDED", "REVOKED"] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

/** A credential of an integration. The key itself is never kept, only its digest. */
export interface ApiKey {
  readonly businessId: string;
  readonly id: string;
  readonly version: number; // from 1; every write but that of lastUsedAt adds one
  readonly name: string;
  readonly description: string | null;
  readonly scopes: readonly Scope[];
  readonly status: KeyStatus;
  readonly rateLimitPerHour: number;
  readonly allowedIps: readonly string[] | null; // canonical addresses and CIDR ranges; null = from anywhere
  readonly expiresAt: Instant | null; // null = never expires
  readonly webhookUrl: string | null; // null = no callbacks
  readonly sealedWebhookSecret: string; // encrypted at rest
  readonly previousSealedWebhookSecret: string | null; // signs beside the new one until previousWebhookSecretUntil
  readonly previousWebhookSecretUntil: Instant | null; // null = no secret was replaced
  readonly keyPrefix: string;
  readonly keyHash: string;
  readonly previousKeyHash: string | null; // still accepted until previousKeyExpiresAt; null = none
  readonly previousKeyExpiresAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly revokedAt: Instant | null;
  readonly lastUsedAt: Instant | null; // to the minute; null = never used
}
