import { err, ok, type Result } from "neverthrow";
import { matchCommitted } from "../../commit/match-committed.js";
import { recordAudit } from "../../commit/record-audit.js";
import { makeAuditEntry } from "../../events/audit-entry.js";
import type { AuditEntry, AuditType } from "../../events/event.js";
import { auditedChange } from "../../events/field-changes.js";
import { type Actor, refuseUnlessAdministrator, refuseUnlessReader } from "../../kernel/actor.js";
import { type Instant, toTimestamp } from "../../kernel/clock.js";
import { checkDestinationUrl } from "../../kernel/destination-guard.js";
import { parseId } from "../../kernel/ids.js";
import { type PageRequest, paginationOf } from "../../kernel/page.js";
import { brokenRule, invalid, notFound, type Problem } from "../../kernel/problem.js";
import { keepsChanging, retryOnConflict, STALE } from "../../kernel/retry-on-conflict.js";
import { mintWebhookSecret, openSecret, ROTATION_GRACE_MS, secretBinding } from "../../signing/webhook-secret.js";
import { cancelWaiting } from "../deliveries/bounded-steps.js";
import { DEFAULT_DELAYS_SECONDS } from "../deliveries/retry-schedule.js";
import { MAX_ENDPOINTS, type WebhookEndpoint } from "../endpoint.js";
import { insertEndpointCommit, removeEndpointCommit, replaceEndpointCommit } from "../endpoint-commits.js";
import { refuseSelection } from "../filters/check-selection.js";
import type { WebhookContext } from "../webhook-context.js";
import { decideRotation, decideUpdate, delaysOf, orderingOf, withoutPastSecret } from "./endpoint-rules.js";
import {
  type CreatedEndpointView,
  type CreateEndpointInput,
  type DeletedEndpointView,
  type EndpointList,
  type EndpointSecretView,
  type EndpointView,
  endpointViewOf,
  type RotatedEndpointSecretView,
  type RotateEndpointSecretInput,
  type UpdateEndpointInput,
} from "./endpoint-view.js";

const tooManyEndpoints: Problem = brokenRule(
  "TOO_MANY_WEBHOOKS",
  `A business has at most ${MAX_ENDPOINTS} webhooks, disabled ones included; delete one first.`,
  { limit: MAX_ENDPOINTS },
);

/**
 * Errors: forbidden; not-found for an unknown business; invalid for a forbidden URL; FILTER_NEVER_MATCHES,
 * TOO_MANY_WEBHOOKS.
 */
export async function createEndpoint(
  context: WebhookContext,
  actor: Actor,
  input: CreateEndpointInput,
  now: Instant = context.clock.now(),
): Promise<Result<CreatedEndpointView, Problem>> {
  const refusal = refuseUnlessAdministrator(actor) ?? refuseUrl(context, input.url);
  if (refusal !== null) return err(refusal);
  const { businessId } = actor;
  if ((await context.store.findBusiness(businessId)) === null) return err(notFound("business", businessId));
  const id = await context.ids.next(businessId);
  const secret = input.secret ?? mintWebhookSecret(context.random);
  const endpoint: WebhookEndpoint = {
    businessId,
    id,
    version: 1,
    url: input.url,
    description: input.description ?? null,
    events: input.events ?? null,
    ...(input.filter ? { filter: input.filter } : {}),
    status: input.status ?? "ACTIVE",
    disabledReason: null,
    allowedIps: input.allowedIps ?? null,
    retryDelaysSeconds: delaysOf(input.retryPolicy, DEFAULT_DELAYS_SECONDS),
    ...orderingOf(input.ordering),
    sealedSecret: sealFor(context, { businessId, id }, secret),
    previousSealedSecret: null,
    previousSecretUntil: null,
    failingSince: null,
    healthRound: 1,
    createdAt: now,
    updatedAt: now,
  };
  const useless = refuseSelection(endpoint);
  if (useless !== null) return err(useless);
  const audit = await auditOf(context, actor, "webhook.created", null, endpoint);
  const committed = await context.commit(insertEndpointCommit(endpoint, MAX_ENDPOINTS, audit));
  return matchCommitted(committed, {
    written: ok({ ...endpointViewOf(endpoint), secret }),
    "webhook-limit": err(tooManyEndpoints),
  });
}

/** The endpoints of the business, newest first. Errors: forbidden. */
export async function listEndpoints(
  context: WebhookContext,
  actor: Actor,
  request: PageRequest,
): Promise<Result<EndpointList, Problem>> {
  const refusal = refuseUnlessReader(actor);
  if (refusal !== null) return err(refusal);
  const offset = (request.page - 1) * request.limit;
  const page = await context.store.listEndpoints(actor.businessId, request.limit, offset);
  return ok({ data: page.entries.map(endpointViewOf), pagination: paginationOf(request, page) });
}

/** Errors: forbidden, not-found. */
export async function getEndpoint(
  context: WebhookContext,
  actor: Actor,
  endpointId: string,
): Promise<Result<EndpointView, Problem>> {
  const refusal = refuseUnlessReader(actor);
  if (refusal !== null) return err(refusal);
  return (await findEndpoint(context, actor, endpointId)).map(endpointViewOf);
}

/**
 * Cancels the waiting deliveries of an endpoint that becomes DISABLED.
 * Errors: forbidden, not-found; invalid; FILTER_NEVER_MATCHES.
 */
export async function updateEndpoint(
  context: WebhookContext,
  actor: Actor,
  endpointId: string,
  input: UpdateEndpointInput,
  now: Instant = context.clock.now(),
): Promise<Result<EndpointView, Problem>> {
  const { secret, url } = input;
  const refusal = url === undefined ? null : refuseUrl(context, url);
  const changed = await changeEndpoint(context, actor, { endpointId, act: "webhook.updated", now }, (endpoint) => {
    if (refusal !== null) return err(refusal);
    const updated = decideUpdate(endpoint, input);
    const useless = refuseSelection(updated);
    if (useless !== null) return err(useless);
    if (secret === undefined || secret === null || signsWith(context, endpoint, secret)) return ok(updated);
    return ok(decideRotation(updated, sealFor(context, endpoint, secret), now));
  });
  return changed.map(endpointViewOf);
}

/** Deletes an endpoint and cancels its waiting deliveries. Errors: forbidden, not-found. */
export async function deleteEndpoint(
  context: WebhookContext,
  actor: Actor,
  endpointId: string,
  now: Instant = context.clock.now(),
): Promise<Result<DeletedEndpointView, Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  const { businessId } = actor;
  const endpoint = await findEndpoint(context, actor, endpointId);
  if (endpoint.isErr()) return err(endpoint.error);
  const audit = await makeAuditEntry(context.ids, actor, {
    type: "webhook.deleted",
    subjectId: endpointId,
    now,
    ...auditedChange(endpointViewOf(endpoint.value), null),
  });
  const committed = await context.commit(removeEndpointCommit(businessId, endpointId, [audit]));
  if (committed.kind === "written") {
    await cancelWaiting(context.store, businessId, { kind: "endpoint", id: endpointId }, now);
  }
  return matchCommitted(committed, {
    written: ok({ id: endpointId, deletedAt: toTimestamp(now) }),
    missing: err(notFound("webhook", endpointId)),
  });
}

/**
 * Returns the secret, after the audit entry is committed. The secret is a credential, so the role MEMBER may not read it.
 * Errors: forbidden, not-found. Throws when no configured service secret decrypts it.
 */
export async function readEndpointSecret(
  context: WebhookContext,
  actor: Actor,
  endpointId: string,
  now: Instant = context.clock.now(),
): Promise<Result<EndpointSecretView, Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  const endpoint = await findEndpoint(context, actor, endpointId);
  if (endpoint.isErr()) return err(endpoint.error);
  const secret = openSecret(context.secrets.box, endpoint.value.sealedSecret, bindingOf(endpoint.value));
  await recordAudit(context, actor, "webhook.secret_read", endpoint.value.id, now);
  return ok({ secret });
}

/**
 * Replaces the secret and returns the new one. For a day callbacks carry a signature of each secret.
 * Errors: forbidden, not-found.
 */
export async function rotateEndpointSecret(
  context: WebhookContext,
  actor: Actor,
  endpointId: string,
  input: RotateEndpointSecretInput,
  now: Instant = context.clock.now(),
): Promise<Result<RotatedEndpointSecretView, Problem>> {
  const secret = input.secret ?? mintWebhookSecret(context.random);
  const changed = await changeEndpoint(context, actor, { endpointId, act: "webhook.secret_rotated", now }, (endpoint) =>
    ok(decideRotation(endpoint, sealFor(context, endpoint, secret), now)),
  );
  return changed.map(({ updatedAt }) => ({ secret, previousSecretUntil: toTimestamp(updatedAt + ROTATION_GRACE_MS) }));
}

/** Errors: not-found. */
export async function findEndpoint(
  { store }: WebhookContext,
  { businessId }: Actor,
  endpointId: string,
): Promise<Result<WebhookEndpoint, Problem>> {
  const endpoint = parseId(endpointId) === null ? null : await store.findEndpoint(businessId, endpointId);
  return endpoint === null ? err(notFound("webhook", endpointId)) : ok(endpoint);
}

/** One act on an endpoint. */
interface EndpointAct {
  readonly endpointId: string;
  readonly act: AuditType;
  readonly now: Instant;
}

/**
 * Changes an endpoint by compare-and-set, together with its audit entry: when another writer wins, it decides again on the
 * new state. The write drops a secret whose grace period is over.
 */
async function changeEndpoint(
  context: WebhookContext,
  actor: Actor,
  { endpointId, act, now }: EndpointAct,
  decide: (endpoint: WebhookEndpoint) => Result<WebhookEndpoint, Problem>,
): Promise<Result<WebhookEndpoint, Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  const { store, commit } = context;
  return retryOnConflict(
    async () => {
      const current = await findEndpoint(context, actor, endpointId);
      if (current.isErr()) return current;
      const decided = decide(current.value);
      if (decided.isErr()) return decided;
      const { version, businessId, id, status } = current.value;
      const endpoint = { ...withoutPastSecret(decided.value, now), version: version + 1, updatedAt: now };
      const audit = await auditOf(context, actor, act, current.value, endpoint);
      const committed = await commit(replaceEndpointCommit(endpoint, version, audit));
      if (committed.kind === "written" && status === "ACTIVE" && endpoint.status === "DISABLED") {
        await cancelWaiting(store, businessId, { kind: "endpoint", id }, now);
      }
      return matchCommitted(committed, { written: ok(endpoint), stale: STALE });
    },
    () => keepsChanging("webhook", endpointId),
  );
}

/** An update that changes no value leaves no entry; one that replaces the secret is a rotation. */
async function auditOf(
  { ids }: WebhookContext,
  actor: Actor,
  type: AuditType,
  before: WebhookEndpoint | null,
  after: WebhookEndpoint,
): Promise<readonly AuditEntry[]> {
  const audited = auditedChange(before === null ? null : endpointViewOf(before), endpointViewOf(after));
  const isRotation = before !== null && before.sealedSecret !== after.sealedSecret;
  const act = isRotation ? "webhook.secret_rotated" : type;
  if (act === "webhook.updated" && audited.change.fields.length === 0) return [];
  return [await makeAuditEntry(ids, actor, { type: act, subjectId: after.id, now: after.updatedAt, ...audited })];
}

function refuseUrl({ allowPrivateDestinations }: WebhookContext, url: string): Problem | null {
  const reason = checkDestinationUrl(url, allowPrivateDestinations);
  return reason === null ? null : invalid("url", "INVALID_VALUE", reason);
}

function sealFor({ secrets }: WebhookContext, row: Pick<WebhookEndpoint, "businessId" | "id">, secret: string): string {
  return secrets.box.seal(secret, bindingOf(row));
}

/** A repeated update must not end the grace period of the secret that the first one replaced. */
function signsWith({ secrets }: WebhookContext, endpoint: WebhookEndpoint, secret: string): boolean {
  return secrets.box.open(endpoint.sealedSecret, bindingOf(endpoint)) === secret;
}

function bindingOf({ businessId, id }: Pick<WebhookEndpoint, "businessId" | "id">): string {
  return secretBinding(businessId, { kind: "endpoint", id });
}
