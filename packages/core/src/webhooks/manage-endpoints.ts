import { err, ok, type Result } from "neverthrow";
import { refuseUnlessAdministrator, refuseUnlessReader } from "../access/permissions.js";
import { recordAudit } from "../events/record-audit.js";
import type { Actor } from "../kernel/actor.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import { parseId } from "../kernel/ids.js";
import { type PageRequest, paginationOf } from "../kernel/page.js";
import { invalid, notFound, type Problem } from "../kernel/problem.js";
import { cancelWaiting } from "./bounded-steps.js";
import { checkDestinationUrl } from "./destination-guard.js";
import type { WebhookEndpoint } from "./endpoint.js";
import { decideRotation, decideUpdate, delaysOf, withoutPastSecret } from "./endpoint-rules.js";
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
import { DEFAULT_DELAYS_SECONDS } from "./retry-schedule.js";
import { MAX_ENDPOINTS, tooManyEndpoints } from "./webhook-caps.js";
import type { WebhookContext } from "./webhook-context.js";
import { mintWebhookSecret, ROTATION_GRACE_MS, secretBinding } from "./webhook-secret.js";

/**
 * Creates an endpoint and shows it with its secret. Errors: forbidden; not-found for an unknown business; invalid for a
 * URL that callbacks may not go to; TOO_MANY_WEBHOOKS.
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
  const id = await context.ids.next();
  const secret = input.secret ?? mintWebhookSecret(context.random);
  const endpoint: WebhookEndpoint = {
    businessId,
    id,
    version: 1,
    url: input.url,
    description: input.description ?? null,
    events: input.events ?? null,
    status: input.status ?? "ACTIVE",
    disabledReason: null,
    allowedIps: input.allowedIps ?? null,
    retryDelaysSeconds: delaysOf(input.retryPolicy, DEFAULT_DELAYS_SECONDS),
    sealedSecret: sealFor(context, { businessId, id }, secret),
    previousSealedSecret: null,
    previousSecretUntil: null,
    failingSince: null,
    healthRound: 1,
    createdAt: now,
    updatedAt: now,
  };
  const outcome = await context.store.insertEndpoint(endpoint, MAX_ENDPOINTS);
  return outcome === "written" ? ok({ ...endpointViewOf(endpoint), secret }) : err(tooManyEndpoints);
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
 * Takes over what was given. What waits for an endpoint that is disabled is cancelled.
 * Errors: forbidden, not-found; invalid for a URL that callbacks may not go to.
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
  const changed = await changeEndpoint(context, actor, endpointId, now, (endpoint) => {
    if (refusal !== null) return err(refusal);
    const updated = decideUpdate(endpoint, input);
    const hasSecret = secret !== undefined && secret !== null;
    return ok(hasSecret ? decideRotation(updated, sealFor(context, endpoint, secret), now) : updated);
  });
  return changed.map(endpointViewOf);
}

/** Removes an endpoint for good and cancels what waits for it. Errors: forbidden, not-found. */
export async function deleteEndpoint(
  context: WebhookContext,
  actor: Actor,
  endpointId: string,
  now: Instant = context.clock.now(),
): Promise<Result<DeletedEndpointView, Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  const { businessId } = actor;
  const isGone = parseId(endpointId) !== null && (await context.store.deleteEndpoint(businessId, endpointId));
  if (!isGone) return err(notFound("webhook", endpointId));
  await cancelWaiting(context.store, businessId, { kind: "endpoint", id: endpointId }, now);
  return ok({ id: endpointId, deletedAt: toTimestamp(now) });
}

/**
 * Reads the secret again, once an audit entry of it is safe. It is as good as a credential: MEMBER may not.
 * Errors: forbidden, not-found.
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
  const secret = context.secrets.box.open(endpoint.value.sealedSecret, bindingOf(endpoint.value));
  if (secret === null) throw new Error("a webhook secret was sealed with a secret that is not configured any more");
  await recordAudit(context, actor, "webhook.secret_read", endpoint.value.id, now);
  return ok({ secret });
}

/**
 * Puts a new secret, given or made, in the place of the old one, and shows it. For a day callbacks carry a signature
 * of each. Errors: forbidden, not-found.
 */
export async function rotateEndpointSecret(
  context: WebhookContext,
  actor: Actor,
  endpointId: string,
  input: RotateEndpointSecretInput,
  now: Instant = context.clock.now(),
): Promise<Result<RotatedEndpointSecretView, Problem>> {
  const secret = input.secret ?? mintWebhookSecret(context.random);
  const changed = await changeEndpoint(context, actor, endpointId, now, (endpoint) =>
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

const ATTEMPTS = 10;

/**
 * Changes an endpoint by compare-and-set; when another writer came between, the decision is made anew. A secret whose
 * grace is over goes with the write.
 */
async function changeEndpoint(
  context: WebhookContext,
  actor: Actor,
  endpointId: string,
  now: Instant,
  decide: (endpoint: WebhookEndpoint) => Result<WebhookEndpoint, Problem>,
): Promise<Result<WebhookEndpoint, Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  const { store } = context;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const current = await findEndpoint(context, actor, endpointId);
    if (current.isErr()) return current;
    const decided = decide(current.value);
    if (decided.isErr()) return decided;
    const { version, businessId, id, status } = current.value;
    const endpoint = { ...withoutPastSecret(decided.value, now), version: version + 1, updatedAt: now };
    if ((await store.replaceEndpoint(endpoint, version)) !== "written") continue;
    if (status === "ACTIVE" && endpoint.status === "DISABLED") {
      await cancelWaiting(store, businessId, { kind: "endpoint", id }, now);
    }
    return ok(endpoint);
  }
  return err({
    kind: "conflict",
    message: "Others keep changing this webhook; try again.",
    details: { id: endpointId },
  });
}

function refuseUrl({ allowPrivateDestinations }: WebhookContext, url: string): Problem | null {
  const reason = checkDestinationUrl(url, allowPrivateDestinations);
  return reason === null ? null : invalid("url", "INVALID_VALUE", reason);
}

function sealFor({ secrets }: WebhookContext, row: Pick<WebhookEndpoint, "businessId" | "id">, secret: string): string {
  return secrets.box.seal(secret, bindingOf(row));
}

function bindingOf({ businessId, id }: Pick<WebhookEndpoint, "businessId" | "id">): string {
  return secretBinding(businessId, { kind: "endpoint", id });
}
