import { err, ok, type Result } from "neverthrow";
import { matchCommitted } from "../../commit/match-committed.js";
import { makeAuditEntry } from "../../events/audit-entry.js";
import type { AuditEntry, AuditType } from "../../events/event.js";
import { auditedChange } from "../../events/field-changes.js";
import { claimLost, type WriteOptions } from "../../idempotency/write-options.js";
import { type Actor, refuseUnlessAdministrator, refuseUnlessReader } from "../../kernel/actor.js";
import { type Instant, toTimestamp } from "../../kernel/clock.js";
import { parseId } from "../../kernel/ids.js";
import { type PageRequest, paginationOf } from "../../kernel/page.js";
import { brokenRule, notFound, type Problem } from "../../kernel/problem.js";
import { keepsChanging, retryOnConflict, STALE } from "../../kernel/retry-on-conflict.js";
import { mintWebhookSecret, secretBinding } from "../../signing/webhook-secret.js";
import { insertKeyCommit, type KeyLimits, replaceKeyCommit } from "../access-commits.js";
import type { AccessContext } from "../access-context.js";
import { type ApiKey, MAX_KEYS_WITH_WEBHOOK } from "../api-key.js";
import { TIER_RATES, type Tier } from "../business.js";
import { mintKey } from "./key-format.js";
import type { CreateKeyInput, RegenerateKeyInput, UpdateKeyInput } from "./key-input.js";
import {
  checkSettings,
  decideRegeneration,
  decideRevocation,
  decideSecretRotation,
  decideUpdate,
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

/**
 * Creates an ACTIVE key. Only this response shows the key.
 * Errors: forbidden; not-found for an unknown business; those of checkSettings; TOO_MANY_KEYS, TOO_MANY_WEBHOOKS;
 * conflict when another request took over the idempotency key.
 */
export async function createKey(
  context: AccessContext,
  actor: Actor,
  input: CreateKeyInput,
  { now = context.clock.now(), claim }: Pick<WriteOptions, "now" | "claim"> = {},
): Promise<Result<CreatedKeyView, Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  const { businessId } = actor;
  const business = await context.store.findBusiness(businessId);
  if (business === null) return err(notFound("business", businessId));
  const { allowPrivateDestinations } = context;
  const expiresAt = checkSettings(input, { business, allowPrivateDestinations, now });
  if (expiresAt.isErr()) return err(expiresAt.error);
  const id = await context.ids.next(businessId);
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
    sealedWebhookSecret: sealFor(context, { businessId, id }, webhookSecret),
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
  const view = { ...apiKeyViewOf(apiKey, business.tier), key, webhookSecret };
  const audit = await auditOf(context, actor, "api_key.created", null, apiKey);
  const committed = await context.commit(insertKeyCommit(apiKey, LIMITS, audit), { claim, result: view });
  return matchCommitted(committed, {
    written: ok(view),
    "key-limit": err(tooManyKeys),
    "webhook-limit": err(tooManyKeysWithWebhook),
    "claim-lost": err(claimLost),
  });
}

/** Per business; REVOKED keys do not count. */
export const MAX_KEYS = 1_000;

const LIMITS: KeyLimits = { keys: MAX_KEYS, withWebhook: MAX_KEYS_WITH_WEBHOOK };

const tooManyKeys: Problem = brokenRule(
  "TOO_MANY_KEYS",
  `A business has at most ${MAX_KEYS} keys that are not REVOKED; revoke one first.`,
  { limit: MAX_KEYS },
);

const tooManyKeysWithWebhook: Problem = brokenRule(
  "TOO_MANY_WEBHOOKS",
  `A business has at most ${MAX_KEYS_WITH_WEBHOOK} ACTIVE keys with a webhookUrl.`,
  { field: "webhookUrl", limit: MAX_KEYS_WITH_WEBHOOK },
);

/** All keys of the business, newest first. Errors: forbidden. */
export async function listKeys(
  context: AccessContext,
  actor: Actor,
  request: PageRequest,
): Promise<Result<ApiKeyList, Problem>> {
  const refusal = refuseUnlessReader(actor);
  if (refusal !== null) return err(refusal);
  const offset = (request.page - 1) * request.limit;
  const page = await context.store.listKeys(actor.businessId, request.limit, offset);
  const tier = await tierOf(context, actor);
  return ok({
    data: page.entries.map((key) => apiKeyViewOf(key, tier)),
    pagination: paginationOf(request, page),
  });
}

/** Errors: forbidden, not-found. */
export async function getKey(
  context: AccessContext,
  actor: Actor,
  keyId: string,
): Promise<Result<ApiKeyView, Problem>> {
  const refusal = refuseUnlessReader(actor);
  if (refusal !== null) return err(refusal);
  return viewOf(context, actor, await findKey(context, actor, keyId));
}

/** Shows the rate that the present tier allows. Errors: those of `key`. */
async function viewOf(
  context: AccessContext,
  actor: Actor,
  key: Result<ApiKey, Problem>,
): Promise<Result<ApiKeyView, Problem>> {
  if (key.isErr()) return err(key.error);
  return ok(apiKeyViewOf(key.value, await tierOf(context, actor)));
}

/** STANDARD for an unknown business, which has no keys. */
async function tierOf({ store }: AccessContext, { businessId }: Actor): Promise<Tier> {
  return (await store.findBusiness(businessId))?.tier ?? "STANDARD";
}

/** Errors: forbidden, not-found, TOO_MANY_WEBHOOKS and those of decideUpdate. */
export async function updateKey(
  context: AccessContext,
  actor: Actor,
  keyId: string,
  input: UpdateKeyInput,
  now: Instant = context.clock.now(),
): Promise<Result<ApiKeyView, Problem>> {
  const changed = await changeKey(context, actor, { keyId, act: "api_key.updated", now }, async (key) => {
    const business = await context.store.findBusiness(key.businessId);
    if (business === null) return err(notFound("business", key.businessId));
    const { allowPrivateDestinations } = context;
    const updated = decideUpdate(key, input, { business, allowPrivateDestinations, now });
    const secret = input.webhookSecret ?? null;
    if (updated.isErr() || secret === null || signsWith(context, key, secret)) return updated;
    return decideSecretRotation(updated.value, sealFor(context, key, secret), now);
  });
  return viewOf(context, actor, changed);
}

/** Revokes a key for good. A repeated call returns the time of the first one. Errors: forbidden, not-found. */
export async function revokeKey(
  context: AccessContext,
  actor: Actor,
  keyId: string,
  now: Instant = context.clock.now(),
): Promise<Result<RevokedKeyView, Problem>> {
  const act = { keyId, act: "api_key.revoked", now } as const;
  const changed = await changeKey(context, actor, act, (key) => decideRevocation(key, now));
  return changed.map(({ id, revokedAt, updatedAt }) => ({
    id,
    status: "REVOKED",
    revokedAt: toTimestamp(revokedAt ?? updatedAt),
  }));
}

/**
 * Replaces the key under the same id; only this response shows the new key. The old key works until the grace period
 * ends; a key of an earlier grace period stops working. Errors: forbidden, not-found, KEY_REVOKED.
 */
export async function regenerateKey(
  context: AccessContext,
  actor: Actor,
  keyId: string,
  input: RegenerateKeyInput,
  now: Instant = context.clock.now(),
): Promise<Result<RegeneratedKeyView, Problem>> {
  const minted = mintKey(context.random);
  const changed = await changeKey(context, actor, { keyId, act: "api_key.regenerated", now }, (key) =>
    decideRegeneration(key, minted, input.gracePeriodSeconds, now),
  );
  return (await viewOf(context, actor, changed)).map((view) => ({ ...view, key: minted.key }));
}

/** Errors: not-found. */
export async function findKey(context: AccessContext, actor: Actor, keyId: string): Promise<Result<ApiKey, Problem>> {
  const key = parseId(keyId) === null ? null : await context.store.findKey(actor.businessId, keyId);
  return key === null ? err(notFound("apiKey", keyId)) : ok(key);
}

/** One act on a key. */
interface KeyAct {
  readonly keyId: string;
  readonly act: AuditType;
  readonly now: Instant;
}

/**
 * Changes a key by compare-and-set, together with its audit entry: when another writer wins, it decides again on the new
 * state. Cancels the waiting deliveries of a key that stops receiving callbacks. The write drops a webhook secret whose
 * grace period is over.
 * Errors: forbidden, not-found, those of `decide`, TOO_MANY_WEBHOOKS, conflict after repeated lost writes.
 */
export async function changeKey(
  context: AccessContext,
  actor: Actor,
  { keyId, act, now }: KeyAct,
  decide: (key: ApiKey) => KeyDecision | Promise<KeyDecision>,
): Promise<Result<ApiKey, Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  return retryOnConflict(
    async () => {
      const current = await findKey(context, actor, keyId);
      if (current.isErr()) return current;
      const decided = await decide(current.value);
      if (decided.isErr()) return err(decided.error);
      if (decided.value === null) return current;
      const { version } = current.value;
      const key = { ...withoutPastSecret(decided.value, now), version: version + 1, updatedAt: now };
      const audit = await auditOf(context, actor, act, current.value, key);
      const committed = await context.commit(replaceKeyCommit(key, version, MAX_KEYS_WITH_WEBHOOK, audit));
      if (committed.kind === "written" && hasCallbacks(current.value) && !hasCallbacks(key)) {
        await context.cancelCallbacks(key.businessId, key.id, now);
      }
      return matchCommitted(committed, {
        written: ok(key),
        stale: STALE,
        "webhook-limit": err(tooManyKeysWithWebhook),
      });
    },
    () => keepsChanging("key", keyId),
  );
}

/** Encrypts a webhook secret for the row of its key. */
export function sealFor(
  { secrets }: AccessContext,
  { businessId, id }: Pick<ApiKey, "businessId" | "id">,
  webhookSecret: string,
): string {
  return secrets.box.seal(webhookSecret, secretBinding(businessId, { kind: "key", id }));
}

/** A repeated update must not end the grace period of the secret that the first one replaced. */
function signsWith({ secrets }: AccessContext, key: ApiKey, webhookSecret: string): boolean {
  const binding = secretBinding(key.businessId, { kind: "key", id: key.id });
  return secrets.box.open(key.sealedWebhookSecret, binding) === webhookSecret;
}

function hasCallbacks({ status, webhookUrl }: ApiKey): boolean {
  return status === "ACTIVE" && webhookUrl !== null;
}

/** An update that changes no value leaves no entry; one that replaces the webhook secret is a rotation. */
async function auditOf(
  { ids }: AccessContext,
  actor: Actor,
  type: AuditType,
  before: ApiKey | null,
  after: ApiKey,
): Promise<AuditEntry | null> {
  const asSet = (key: ApiKey) => apiKeyViewOf(key, "ENTERPRISE"); // the tier without a bound: the rate as it was set
  const audited = auditedChange(before === null ? null : asSet(before), asSet(after));
  const isRotation = before !== null && before.sealedWebhookSecret !== after.sealedWebhookSecret;
  const act = isRotation ? "api_key.secret_rotated" : type;
  if (act === "api_key.updated" && audited.change.fields.length === 0) return null;
  return makeAuditEntry(ids, actor, { type: act, subjectId: after.id, now: after.updatedAt, ...audited });
}
