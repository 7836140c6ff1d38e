import { err, ok, type Result } from "neverthrow";
import { refuseUnlessAdministrator, refuseUnlessReader } from "../access/permissions.js";
import type { Actor } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { startOf } from "../kernel/dates.js";
import { parseId } from "../kernel/ids.js";
import { paginationOf } from "../kernel/page.js";
import { brokenRule, notFound, type Problem } from "../kernel/problem.js";
import { restartSince } from "./bounded-steps.js";
import { type Delivery, isFinished, type Subscriber } from "./delivery.js";
import {
  type DeliveryList,
  type DeliveryView,
  deliveryViewOf,
  type ListDeliveriesInput,
  type RecoveredView,
  type RecoverInput,
} from "./delivery-view.js";
import { DEFAULT_DELAYS_SECONDS, deadlineOf } from "./retry-schedule.js";
import { chargeRecovery, chargeTest } from "./subscriber-limits.js";
import { takesCallbacks } from "./subscription.js";
import type { WebhookContext } from "./webhook-context.js";

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
  const data = await Promise.all(page.entries.map((delivery) => present(context, delivery)));
  return ok({ data, pagination: paginationOf(input, page) });
}

/**
 * Begins a finished delivery anew, one that was delivered too. Id and bytes stay, so that the receiver can tell. A test
 * counts among the tests of the minute.
 * Errors: forbidden, not-found, WEBHOOK_DISABLED, NO_WEBHOOK_URL, DELIVERY_NOT_FINISHED; rate-limited for a test.
 */
export async function retryDelivery(
  context: WebhookContext,
  actor: Actor,
  subscriber: Subscriber,
  deliveryId: string,
  now: Instant = context.clock.now(),
): Promise<Result<DeliveryView, Problem>> {
  const delays = await delaysForRestart(context, actor, subscriber, now);
  if (delays.isErr()) return err(delays.error);
  const { store } = context;
  const delivery = await findDelivery(context, actor, subscriber, deliveryId);
  if (delivery === null) return err(notFound("delivery", deliveryId));
  const { businessId, id, status, eventId } = delivery;
  const message = "This delivery is not finished: an attempt is under way or still to come.";
  const underWay = brokenRule("DELIVERY_NOT_FINISHED", message, { status });
  if (!isFinished(status)) return err(underWay);
  const refusal = eventId === null ? await chargeTest(context, businessId, subscriber, now) : null;
  if (refusal !== null) return err(refusal);
  if (!(await store.restartDelivery(businessId, id, now, deadlineOf(delays.value, now)))) return err(underWay);
  context.wake();
  const restarted = await findDelivery(context, actor, subscriber, deliveryId);
  return ok(await present(context, restarted ?? delivery));
}

/**
 * Begins every delivery anew that was made since a time and failed or was cancelled: the receiver had none of them.
 * Once a minute a subscriber, so that a loop cannot turn a backlog into calls without end.
 * Errors: forbidden, not-found, WEBHOOK_DISABLED, NO_WEBHOOK_URL, rate-limited.
 */
export async function recoverDeliveries(
  context: WebhookContext,
  actor: Actor,
  subscriber: Subscriber,
  { since }: RecoverInput,
  now: Instant = context.clock.now(),
): Promise<Result<RecoveredView, Problem>> {
  const delays = await delaysForRestart(context, actor, subscriber, now);
  if (delays.isErr()) return err(delays.error);
  const refusal = await chargeRecovery(context, actor.businessId, subscriber, now);
  if (refusal !== null) return err(refusal);
  const deadlineAt = deadlineOf(delays.value, now);
  const restart = { subscriber, since: startOf(since, "UTC"), now, deadlineAt };
  return ok({ restarted: await restartSince(context.store, actor.businessId, restart, context.wake) });
}

/** What a restart goes by; a subscriber that takes no deliveries is refused. */
async function delaysForRestart(
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

/** Who deliveries belong to, as far as restarting them goes. */
interface Owner {
  readonly delaysSeconds: readonly number[];
  readonly refusal: Problem | null; // why nothing can be sent to them now; null = it can
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
    const refusal = takesCallbacks(key, now) ? null : keyTakesNone;
    return ok({ delaysSeconds: DEFAULT_DELAYS_SECONDS, refusal });
  }
  const endpoint = isId ? await store.findEndpoint(businessId, id) : null;
  if (endpoint === null) return err(notFound("webhook", id));
  return ok({ delaysSeconds: endpoint.retryDelaysSeconds, refusal: endpoint.status === "ACTIVE" ? null : isDisabled });
}

const keyTakesNone: Problem = brokenRule("NO_WEBHOOK_URL", "The key is not usable, or has no webhookUrl.");
const isDisabled: Problem = brokenRule("WEBHOOK_DISABLED", "This webhook is disabled; make it ACTIVE first.");

/** The delivery, if it is this subscriber's. */
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

async function present({ store }: WebhookContext, delivery: Delivery): Promise<DeliveryView> {
  return deliveryViewOf(delivery, await store.listAttempts(delivery.businessId, delivery.id));
}
