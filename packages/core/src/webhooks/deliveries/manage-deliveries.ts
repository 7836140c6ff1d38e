import { err, ok, type Result } from "neverthrow";
import { makeAuditEntry } from "../../events/audit-entry.js";
import type { AuditEntry, Subscriber } from "../../events/event.js";
import { mayReadType } from "../../events/readable-events.js";
import { type Actor, refuseUnlessAdministrator, refuseUnlessReader } from "../../kernel/actor.js";
import { type Instant, toTimestamp } from "../../kernel/clock.js";
import { startOf, timeZoneFor } from "../../kernel/dates.js";
import { parseId } from "../../kernel/ids.js";
import { paginationOf } from "../../kernel/page.js";
import { brokenRule, notFound, type Problem } from "../../kernel/problem.js";
import { refuseWhenFull } from "../../limits/storage-quota.js";
import { type Delivery, isFinished } from "../delivery.js";
import type { WebhookContext } from "../webhook-context.js";
import { redeliverInSteps } from "./bounded-steps.js";
import {
  type DeliveryList,
  type DeliveryView,
  deliveryViewOf,
  type ListDeliveriesInput,
  type RedeliveredView,
  type RedeliverInput,
} from "./delivery-view.js";
import { DEFAULT_DELAYS_SECONDS, deadlineOf } from "./retry-schedule.js";
import { chargeRedelivery, chargeTest } from "./subscriber-limits.js";
import { receivesCallbacks } from "./subscription.js";

/** The deliveries of a key or endpoint, newest first, with their attempts. Errors: forbidden, not-found. */
export async function listDeliveries(
  context: WebhookContext,
  actor: Actor,
  subscriber: Subscriber,
  input: ListDeliveriesInput,
  now: Instant = context.clock.now(),
): Promise<Result<DeliveryList, Problem>> {
  const refusal = refuseUnlessReader(actor);
  if (refusal !== null) return err(refusal);
  const owner = await findOwner(context, actor, subscriber, now);
  if (owner.isErr()) return err(owner.error);
  const { businessId } = actor;
  const page = await context.store.listDeliveries(businessId, {
    subscriber,
    status: input.status ?? null,
    eventType: input.event ?? null,
    limit: input.limit,
    offset: (input.page - 1) * input.limit,
  });
  const views = await Promise.all(page.entries.map((delivery) => viewOf(context, delivery)));
  const data = views.map((view) => (mayReadType(actor, view.event) ? view : withoutContent(view)));
  return ok({ data, pagination: paginationOf(input, page) });
}

/** For users who may not read the record: what was sent, and what a receiver may have sent back of it, are left out. */
function withoutContent(view: DeliveryView): DeliveryView {
  return { ...view, payload: {}, attempts: view.attempts.map((attempt) => ({ ...attempt, responseBody: null })) };
}

/**
 * Redelivers a finished delivery, including a delivered one. The id and the bytes stay the same, so that the receiver can
 * detect the duplicate. The retry of a test counts towards the limit of tests.
 * Errors: forbidden, not-found, WEBHOOK_DISABLED, NO_WEBHOOK_URL, DELIVERY_NOT_FINISHED, QUOTA_EXCEEDED; rate-limited
 * for a test.
 */
export async function retryDelivery(
  context: WebhookContext,
  actor: Actor,
  subscriber: Subscriber,
  deliveryId: string,
  now: Instant = context.clock.now(),
): Promise<Result<DeliveryView, Problem>> {
  const delays = await delaysForRedelivery(context, actor, subscriber, now);
  if (delays.isErr()) return err(delays.error);
  const { store } = context;
  const delivery = await findDelivery(context, actor, subscriber, deliveryId);
  if (delivery === null) return err(notFound("delivery", deliveryId));
  const { businessId, id, status, eventId } = delivery;
  const message = "This delivery is not finished: an attempt is running or scheduled.";
  const inFlight = brokenRule("DELIVERY_NOT_FINISHED", message, { status });
  if (!isFinished(status)) return err(inFlight);
  const full = await refuseWhenFull(store, businessId, context.quota); // each attempt is kept
  if (full !== null) return err(full);
  const refusal = eventId === null ? await chargeTest(context, businessId, subscriber, now) : null;
  if (refusal !== null) return err(refusal);
  const audit = await auditOf(context, actor, subscriber, "delivery_retried", { now, data: { deliveryId: id } });
  if (!(await store.redeliver(businessId, id, now, deadlineOf(delays.value, now), audit))) return err(inFlight);
  context.wake();
  const redelivered = await findDelivery(context, actor, subscriber, deliveryId);
  return ok(await viewOf(context, redelivered ?? delivery));
}

/**
 * Redelivers all failed and cancelled deliveries created since a time. Limited to once per minute and subscriber, because
 * each call may redeliver a whole backlog.
 * Errors: forbidden, not-found, WEBHOOK_DISABLED, NO_WEBHOOK_URL, QUOTA_EXCEEDED, rate-limited.
 */
export async function redeliverSince(
  context: WebhookContext,
  actor: Actor,
  subscriber: Subscriber,
  { since }: RedeliverInput,
  now: Instant = context.clock.now(),
): Promise<Result<RedeliveredView, Problem>> {
  const delays = await delaysForRedelivery(context, actor, subscriber, now);
  if (delays.isErr()) return err(delays.error);
  const full = await refuseWhenFull(context.store, actor.businessId, context.quota);
  if (full !== null) return err(full);
  const refusal = await chargeRedelivery(context, actor.businessId, subscriber, now);
  if (refusal !== null) return err(refusal);
  const deadlineAt = deadlineOf(delays.value, now);
  const timeZone = await timeZoneFor(context.store, actor.businessId, since);
  const from = startOf(since, timeZone);
  const audit = await auditOf(context, actor, subscriber, "deliveries_retried", {
    now,
    data: { since: toTimestamp(from) },
  });
  const redelivery = { subscriber, since: from, now, deadlineAt, audit };
  return ok({ restarted: await redeliverInSteps(context.store, actor.businessId, redelivery, context.wake) });
}

/** The entry of a subscriber whose deliveries an administrator sends again. */
function auditOf(
  { ids }: WebhookContext,
  actor: Actor,
  { kind, id }: Subscriber,
  act: "delivery_retried" | "deliveries_retried",
  given: { readonly now: Instant; readonly data: Readonly<Record<string, unknown>> },
): Promise<AuditEntry> {
  const type = kind === "key" ? (`api_key.${act}` as const) : (`webhook.${act}` as const);
  return makeAuditEntry(ids, actor, { type, subjectId: id, ...given });
}

/** The retry schedule; refused when the subscriber receives no deliveries. */
async function delaysForRedelivery(
  context: WebhookContext,
  actor: Actor,
  subscriber: Subscriber,
  now: Instant,
): Promise<Result<readonly number[], Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  const owner = await findOwner(context, actor, subscriber, now);
  return owner.andThen(({ delaysSeconds, refusal }) => (refusal === null ? ok(delaysSeconds) : err(refusal)));
}

interface Owner {
  readonly delaysSeconds: readonly number[];
  readonly refusal: Problem | null; // why the subscriber receives no deliveries now; null = it does
}

async function findOwner(
  { store }: WebhookContext,
  { businessId }: Actor,
  { kind, id }: Subscriber,
  now: Instant,
): Promise<Result<Owner, Problem>> {
  const isId = parseId(id) !== null;
  if (kind === "key") {
    const key = isId ? await store.findKey(businessId, id) : null;
    if (key === null) return err(notFound("apiKey", id));
    const refusal = receivesCallbacks(key, now) ? null : noCallbacks;
    return ok({ delaysSeconds: DEFAULT_DELAYS_SECONDS, refusal });
  }
  const endpoint = isId ? await store.findEndpoint(businessId, id) : null;
  if (endpoint === null) return err(notFound("webhook", id));
  return ok({ delaysSeconds: endpoint.retryDelaysSeconds, refusal: endpoint.status === "ACTIVE" ? null : isDisabled });
}

const noCallbacks: Problem = brokenRule("NO_WEBHOOK_URL", "This key is not usable or has no webhookUrl.");
export const isDisabled: Problem = brokenRule("WEBHOOK_DISABLED", "This webhook is disabled; make it ACTIVE first.");

/** null when it belongs to another subscriber. */
async function findDelivery(
  { store }: WebhookContext,
  { businessId }: Actor,
  subscriber: Subscriber,
  deliveryId: string,
): Promise<Delivery | null> {
  const delivery = parseId(deliveryId) === null ? null : await store.findDelivery(businessId, deliveryId);
  if (delivery === null) return null;
  return delivery.subscriber.kind === subscriber.kind && delivery.subscriber.id === subscriber.id ? delivery : null;
}

async function viewOf({ store }: WebhookContext, delivery: Delivery): Promise<DeliveryView> {
  return deliveryViewOf(delivery, await store.listAttempts(delivery.businessId, delivery.id));
}
