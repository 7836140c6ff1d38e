import { err, ok, type Result } from "neverthrow";
import type { Receipt } from "../idempotency/idempotency-store.js";
import { receiptLost } from "../idempotency/receipt-lost.js";
import type { Actor } from "../kernel/actor.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import { parseId } from "../kernel/ids.js";
import { type PageRequest, paginationOf } from "../kernel/page.js";
import { brokenRule, notFound, type Problem } from "../kernel/problem.js";
import { TIER_RATES } from "../limits/tiers.js";
import { cancelWaiting } from "../webhooks/bounded-steps.js";
import { MAX_KEYS_WITH_WEBHOOK, tooManyKeysWithWebhook } from "../webhooks/webhook-caps.js";
import { mintWebhookSecret, secretBinding } from "../webhooks/webhook-secret.js";
import type { AccessContext } from "./access-context.js";
import type { ApiKey } from "./api-key.js";
import { mintKey } from "./key-format.js";
import type { CreateKeyInput, RegenerateKeyInput, UpdateKeyInput } from "./key-input.js";
import {
  decideRegeneration,
  decideRevocation,
  decideUpdate,
  judgeSettings,
  type KeyDecision,
  withoutPastSecret,
} from "./key-rules.js";
import {
  type ApiKeyList,
  type ApiKeyView,
  apiKeyViewOf,
  type CreatedKeyView,
  type RegeneratedKeyView,
  type RevokedKeyView,
} from "./key-view.js";
import { refuseUnlessAdministrator, refuseUnlessReader } from "./permissions.js";

/**
 * Creates an ACTIVE key and shows it, with the secret of its callbacks, this once.
 * Errors: forbidden; not-found for an unknown business; those of judgeSettings; TOO_MANY_KEYS, TOO_MANY_WEBHOOKS; a
 * conflict when another request took the idempotency key over.
 */
export async function createKey(
  context: AccessContext,
  actor: Actor,
  input: CreateKeyInput,
  { now = context.clock.now(), receiptFor }: KeyCreationOptions = {},
): Promise<Result<CreatedKeyView, Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  const { businessId } = actor;
  const business = await context.store.findBusiness(businessId);
  if (business === null) return err(notFound("business", businessId));
  const { allowPrivateDestinations } = context;
  const expiresAt = judgeSettings(input, { business, allowPrivateDestinations, now });
  if (expiresAt.isErr()) return err(expiresAt.error);
  const id = await context.ids.next();
  const { key, keyPrefix, keyHash } = mintKey(context.random);
  const webhookSecret = input.webhookSecret ?? mintWebhookSecret(context.random);
  const apiKey: ApiKey = {
    businessId,
    id,
    version: 1,
    name: input.name,
    description: input.description ?? null,
    scopes: input.scopes,
    status: "ACTIVE",
    rateLimitPerHour: input.rateLimitPerHour ?? TIER_RATES[business.tier].defaultPerHour,
    allowedIps: input.allowedIps ?? null,
    expiresAt: expiresAt.value ?? null,
    webhookUrl: input.webhookUrl ?? null,
    sealedWebhookSecret: context.secrets.box.seal(webhookSecret, secretBinding(businessId, { kind: "key", id })),
    previousSealedWebhookSecret: null,
    previousWebhookSecretUntil: null,
    keyPrefix,
    keyHash,
    previousKeyHash: null,
    previousKeyExpiresAt: null,
    createdAt: now,
    updatedAt: now,
    revokedAt: null,
    lastUsedAt: null,
  };
  const view = { ...apiKeyViewOf(apiKey), key, webhookSecret };
  const receipt = receiptFor?.(view) ?? null;
  const outcome = await context.store.insertKey(apiKey, receipt, MAX_KEYS_WITH_WEBHOOK, MAX_KEYS);
  if (outcome === "too-many") return err(tooManyKeys);
  if (outcome === "full") return err(tooManyKeysWithWebhook);
  return outcome === "written" ? ok(view) : err(receiptLost);
}

/** How many keys of a business are not REVOKED at most. */
export const MAX_KEYS = 1_000;

const tooManyKeys: Problem = brokenRule(
  "TOO_MANY_KEYS",
  `A business has at most ${MAX_KEYS} keys that are not REVOKED; revoke one first.`,
  { limit: MAX_KEYS },
);

/** How one creation is carried out. */
export interface KeyCreationOptions {
  /** The moment at which the request arrived; the clock's by default. */
  readonly now?: Instant;
  /** Makes the receipt that is committed together with the key (Idempotency-Key). */
  readonly receiptFor?: (view: CreatedKeyView) => Receipt;
}

/** The keys of the business, newest first, revoked ones among them. Errors: forbidden. */
export async function listKeys(
  context: AccessContext,
  actor: Actor,
  request: PageRequest,
): Promise<Result<ApiKeyList, Problem>> {
  const refusal = refuseUnlessReader(actor);
  if (refusal !== null) return err(refusal);
  const offset = (request.page - 1) * request.limit;
  const page = await context.store.listKeys(actor.businessId, request.limit, offset);
  return ok({ data: page.entries.map(apiKeyViewOf), pagination: paginationOf(request, page) });
}

/** Errors: forbidden, not-found. */
export async function getKey(
  context: AccessContext,
  actor: Actor,
  keyId: string,
): Promise<Result<ApiKeyView, Problem>> {
  const refusal = refuseUnlessReader(actor);
  if (refusal !== null) return err(refusal);
  return (await findKey(context, actor, keyId)).map(apiKeyViewOf);
}

/** Takes over what was given. Errors: forbidden, not-found, TOO_MANY_WEBHOOKS and those of decideUpdate. */
export async function updateKey(
  context: AccessContext,
  actor: Actor,
  keyId: string,
  input: UpdateKeyInput,
  now: Instant = context.clock.now(),
): Promise<Result<ApiKeyView, Problem>> {
  const changed = await changeKey(context, actor, keyId, now, async (key) => {
    const business = await context.store.findBusiness(key.businessId);
    if (business === null) return err(notFound("business", key.businessId));
    return decideUpdate(key, input, { business, allowPrivateDestinations: context.allowPrivateDestinations, now });
  });
  return changed.map(apiKeyViewOf);
}

/** Revokes a key for good; doing it again tells when it was done. Errors: forbidden, not-found. */
export async function revokeKey(
  context: AccessContext,
  actor: Actor,
  keyId: string,
  now: Instant = context.clock.now(),
): Promise<Result<RevokedKeyView, Problem>> {
  const changed = await changeKey(context, actor, keyId, now, (key) => decideRevocation(key, now));
  return changed.map(({ id, revokedAt, updatedAt }) => ({
    id,
    status: "REVOKED",
    revokedAt: toTimestamp(revokedAt ?? updatedAt),
  }));
}

/**
 * Makes a new key under the same id and shows it this once. The old one is accepted until the grace period ends; one
 * that was still in an earlier grace period is not. Errors: forbidden, not-found, KEY_REVOKED.
 */
export async function regenerateKey(
  context: AccessContext,
  actor: Actor,
  keyId: string,
  input: RegenerateKeyInput,
  now: Instant = context.clock.now(),
): Promise<Result<RegeneratedKeyView, Problem>> {
  const minted = mintKey(context.random);
  const changed = await changeKey(context, actor, keyId, now, (key) =>
    decideRegeneration(key, minted, input.gracePeriodSeconds, now),
  );
  return changed.map((key) => ({ ...apiKeyViewOf(key), key: minted.key }));
}

/** Errors: not-found. */
export async function findKey(context: AccessContext, actor: Actor, keyId: string): Promise<Result<ApiKey, Problem>> {
  const key = parseId(keyId) === null ? null : await context.store.findKey(actor.businessId, keyId);
  return key === null ? err(notFound("apiKey", keyId)) : ok(key);
}

const ATTEMPTS = 10;

/**
 * Changes a key by compare-and-set; when another writer came between, the decision is made anew. A key that takes no
 * callbacks any more has its waiting deliveries cancelled, and a webhook secret whose grace is over goes with the write.
 * Errors: forbidden, not-found, those of the decision, TOO_MANY_WEBHOOKS, a conflict when others keep coming between.
 */
export async function changeKey(
  context: AccessContext,
  actor: Actor,
  keyId: string,
  now: Instant,
  decide: (key: ApiKey) => KeyDecision | Promise<KeyDecision>,
): Promise<Result<ApiKey, Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const current = await findKey(context, actor, keyId);
    if (current.isErr()) return current;
    const decided = await decide(current.value);
    if (decided.isErr()) return err(decided.error);
    if (decided.value === null) return current;
    const { version } = current.value;
    const key = { ...withoutPastSecret(decided.value, now), version: version + 1, updatedAt: now };
    const outcome = await context.store.replaceKey(key, version, MAX_KEYS_WITH_WEBHOOK);
    if (outcome === "full") return err(tooManyKeysWithWebhook);
    if (outcome === "stale") continue;
    if (hasCallbacks(current.value) && !hasCallbacks(key)) {
      await cancelWaiting(context.store, key.businessId, { kind: "key", id: key.id }, now);
    }
    return ok(key);
  }
  return err({ kind: "conflict", message: "Others keep changing this key; try again.", details: { id: keyId } });
}

function hasCallbacks({ status, webhookUrl }: ApiKey): boolean {
  return status === "ACTIVE" && webhookUrl !== null;
}
