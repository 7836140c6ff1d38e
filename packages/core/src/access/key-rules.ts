import { err, ok, type Result } from "neverthrow";
import { type Instant, SECOND_MS, toTimestamp } from "../kernel/clock.js";
import { endOf, type WireDate } from "../kernel/dates.js";
import { brokenRule, invalid, type Problem } from "../kernel/problem.js";
import { TIER_RATES } from "../limits/tiers.js";
import { checkDestinationUrl } from "../webhooks/destination-guard.js";
import { ROTATION_GRACE_MS } from "../webhooks/webhook-secret.js";
import type { ApiKey, KeyStatus } from "./api-key.js";
import type { Business } from "./business.js";
import type { MintedKey } from "./key-format.js";
import type { UpdateKeyInput } from "./key-input.js";

/** What a key's settings are judged by. */
export interface KeySurroundings {
  readonly business: Business;
  readonly allowPrivateDestinations: boolean;
  readonly now: Instant;
}

/** The settings that need judging; absent ones are not given. */
export interface GivenSettings {
  readonly rateLimitPerHour?: number | undefined;
  readonly expiresAt?: WireDate | null | undefined;
  readonly webhookUrl?: string | null | undefined;
}

/**
 * Judges settings that are well-formed. Returns when the key expires, undefined where that was not given.
 * Errors: invalid for a webhookUrl that callbacks may not go to; RATE_LIMIT_ABOVE_TIER; VALIDITY_IN_THE_PAST.
 */
export function judgeSettings(
  given: GivenSettings,
  { business, allowPrivateDestinations, now }: KeySurroundings,
): Result<Instant | null | undefined, Problem> {
  const reason =
    typeof given.webhookUrl === "string" ? checkDestinationUrl(given.webhookUrl, allowPrivateDestinations) : null;
  if (reason !== null) return err(invalid("webhookUrl", "INVALID_VALUE", reason));
  const { maxPerHour } = TIER_RATES[business.tier];
  if (maxPerHour !== null && given.rateLimitPerHour !== undefined && given.rateLimitPerHour > maxPerHour) {
    return err(
      brokenRule("RATE_LIMIT_ABOVE_TIER", `The tier ${business.tier} allows up to ${maxPerHour} requests an hour.`, {
        field: "rateLimitPerHour",
        tier: business.tier,
        maxPerHour,
      }),
    );
  }
  if (given.expiresAt === undefined || given.expiresAt === null) return ok(given.expiresAt);
  const expiresAt = endOf(given.expiresAt, business.timeZone);
  if (expiresAt > now) return ok(expiresAt);
  return err(
    brokenRule("VALIDITY_IN_THE_PAST", "expiresAt must be in the future.", {
      field: "expiresAt",
      expiresAt: toTimestamp(expiresAt),
    }),
  );
}

/** A change that has been decided; null means that the key is already as it should be. */
export type KeyDecision = Result<ApiKey | null, Problem>;

/** Takes over what was given. Errors: KEY_REVOKED and those of judgeSettings. */
export function decideUpdate(key: ApiKey, input: UpdateKeyInput, surroundings: KeySurroundings): KeyDecision {
  if (key.status === "REVOKED") return err(keyRevoked);
  const expiresAt = judgeSettings(input, surroundings);
  if (expiresAt.isErr()) return err(expiresAt.error);
  return ok({
    ...inStatus(key, input.status ?? key.status, surroundings.now),
    name: input.name ?? key.name,
    description: given(input.description, key.description),
    scopes: input.scopes ?? key.scopes,
    rateLimitPerHour: input.rateLimitPerHour ?? key.rateLimitPerHour,
    allowedIps: given(input.allowedIps, key.allowedIps),
    expiresAt: given(expiresAt.value, key.expiresAt),
    webhookUrl: given(input.webhookUrl, key.webhookUrl),
  });
}

/** Revokes for good; a key that is revoked stays as it is. */
export function decideRevocation(key: ApiKey, now: Instant): KeyDecision {
  return ok(key.status === "REVOKED" ? null : inStatus(key, "REVOKED", now));
}

/** Puts a new key in the place of the old one, which is accepted for a while yet. Errors: KEY_REVOKED. */
export function decideRegeneration(key: ApiKey, minted: MintedKey, graceSeconds: number, now: Instant): KeyDecision {
  if (key.status === "REVOKED") return err(keyRevoked);
  const hasGrace = graceSeconds > 0;
  return ok({
    ...key,
    keyPrefix: minted.keyPrefix,
    keyHash: minted.keyHash,
    previousKeyHash: hasGrace ? key.keyHash : null,
    previousKeyExpiresAt: hasGrace ? now + graceSeconds * SECOND_MS : null,
  });
}

/** Puts a new secret in the place of the old one, which signs beside it for a day. Errors: KEY_REVOKED. */
export function decideSecretRotation(key: ApiKey, sealedSecret: string, now: Instant): KeyDecision {
  if (key.status === "REVOKED") return err(keyRevoked);
  return ok({
    ...key,
    sealedWebhookSecret: sealedSecret,
    previousSealedWebhookSecret: key.sealedWebhookSecret,
    previousWebhookSecretUntil: now + ROTATION_GRACE_MS,
  });
}

/** A webhook secret that was replaced is not kept beyond its grace. */
export function withoutPastSecret(key: ApiKey, now: Instant): ApiKey {
  const { previousWebhookSecretUntil } = key;
  if (previousWebhookSecretUntil === null || now < previousWebhookSecretUntil) return key;
  return { ...key, previousSealedWebhookSecret: null, previousWebhookSecretUntil: null };
}

const keyRevoked: Problem = brokenRule("KEY_REVOKED", "A revoked key cannot be changed any more.");

function inStatus(key: ApiKey, status: KeyStatus, now: Instant): ApiKey {
  return { ...key, status, revokedAt: status === "REVOKED" ? now : null };
}

/** null clears a field; only an absent value leaves it. */
function given<T>(value: T | null | undefined, stored: T | null): T | null {
  return value === undefined ? stored : value;
}
