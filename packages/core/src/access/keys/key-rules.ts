import { err, ok, type Result } from "neverthrow";
import { type Instant, SECOND_MS, toTimestamp } from "../../kernel/clock.js";
import { endOf, type WireDate } from "../../kernel/dates.js";
import { checkDestinationUrl } from "../../kernel/destination-guard.js";
import { brokenRule, invalid, type Problem } from "../../kernel/problem.js";
import { ROTATION_GRACE_MS } from "../../signing/webhook-secret.js";
import type { ApiKey, KeyStatus } from "../api-key.js";
import type { Business } from "../business.js";
import { TIER_RATES } from "../business.js";
import type { MintedKey } from "./key-format.js";
import type { UpdateKeyInput } from "./key-input.js";

/** The facts that settings are checked against. */
export interface KeyRuleContext {
  readonly business: Business;
  readonly allowPrivateDestinations: boolean;
  readonly now: Instant;
}

/** Settings with a rule of their own. */
export interface CheckedSettings {
  readonly rateLimitPerHour?: number | undefined;
  readonly expiresAt?: WireDate | null | undefined;
  readonly webhookUrl?: string | null | undefined;
}

/**
 * Checks well-formed settings. Returns the time of expiry; null = never; undefined = not given.
 * Errors: invalid for a forbidden webhookUrl; RATE_LIMIT_ABOVE_TIER; VALIDITY_IN_THE_PAST.
 */
export function checkSettings(
  settings: CheckedSettings,
  { business, allowPrivateDestinations, now }: KeyRuleContext,
): Result<Instant | null | undefined, Problem> {
  const reason =
    typeof settings.webhookUrl === "string" ? checkDestinationUrl(settings.webhookUrl, allowPrivateDestinations) : null;
  if (reason !== null) return err(invalid("webhookUrl", "INVALID_VALUE", reason));
  const { maxPerHour } = TIER_RATES[business.tier];
  if (maxPerHour !== null && settings.rateLimitPerHour !== undefined && settings.rateLimitPerHour > maxPerHour) {
    return err(
      brokenRule("RATE_LIMIT_ABOVE_TIER", `The tier ${business.tier} allows up to ${maxPerHour} requests an hour.`, {
        field: "rateLimitPerHour",
        tier: business.tier,
        maxPerHour,
      }),
    );
  }
  if (settings.expiresAt === undefined || settings.expiresAt === null) return ok(settings.expiresAt);
  const expiresAt = endOf(settings.expiresAt, business.timeZone);
  if (expiresAt > now) return ok(expiresAt);
  return err(
    brokenRule("VALIDITY_IN_THE_PAST", "expiresAt must be in the future.", {
      field: "expiresAt",
      expiresAt: toTimestamp(expiresAt),
    }),
  );
}

/** null = the key needs no change. */
export type KeyDecision = Result<ApiKey | null, Problem>;

/** Errors: KEY_REVOKED and those of checkSettings. */
export function decideUpdate(key: ApiKey, input: UpdateKeyInput, rules: KeyRuleContext): Result<ApiKey, Problem> {
  if (key.status === "REVOKED") return err(keyRevoked);
  const expiresAt = checkSettings(input, rules);
  if (expiresAt.isErr()) return err(expiresAt.error);
  return ok({
    ...inStatus(key, input.status ?? key.status, rules.now),
    name: input.name ?? key.name,
    description: given(input.description, key.description),
    scopes: input.scopes ?? key.scopes,
    rateLimitPerHour: input.rateLimitPerHour ?? key.rateLimitPerHour,
    allowedIps: given(input.allowedIps, key.allowedIps),
    expiresAt: given(expiresAt.value, key.expiresAt),
    webhookUrl: given(input.webhookUrl, key.webhookUrl),
  });
}

export function decideRevocation(key: ApiKey, now: Instant): KeyDecision {
  return ok(key.status === "REVOKED" ? null : inStatus(key, "REVOKED", now));
}

/** Replaces the key; the old key works for another `graceSeconds`. Errors: KEY_REVOKED. */
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

/** Replaces the webhook secret; the old secret signs too for a day. Errors: KEY_REVOKED. */
export function decideSecretRotation(key: ApiKey, sealedSecret: string, now: Instant): KeyDecision {
  if (key.status === "REVOKED") return err(keyRevoked);
  return ok({
    ...key,
    sealedWebhookSecret: sealedSecret,
    previousSealedWebhookSecret: key.sealedWebhookSecret,
    previousWebhookSecretUntil: now + ROTATION_GRACE_MS,
  });
}

/** Drops a replaced webhook secret once its grace period is over. */
export function withoutPastSecret(key: ApiKey, now: Instant): ApiKey {
  const { previousWebhookSecretUntil } = key;
  if (previousWebhookSecretUntil === null || now < previousWebhookSecretUntil) return key;
  return { ...key, previousSealedWebhookSecret: null, previousWebhookSecretUntil: null };
}

const keyRevoked: Problem = brokenRule("KEY_REVOKED", "A revoked key cannot be changed.");

function inStatus(key: ApiKey, status: KeyStatus, now: Instant): ApiKey {
  return { ...key, status, revokedAt: status === "REVOKED" ? now : null };
}

/** null clears a field; an absent value keeps it. */
function given<T>(value: T | null | undefined, stored: T | null): T | null {
  return value === undefined ? stored : value;
}
