import { err, ok, type Result } from "neverthrow";
import { refuseUnlessAdministrator } from "../access/permissions.js";
import { type Actor, originOf } from "../kernel/actor.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import { randomToken } from "../kernel/digest.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { attemptDelivery, LEASE_MS } from "./attempt-delivery.js";
import type { TestInput, TestView } from "./delivery-view.js";
import { findEndpoint } from "./manage-endpoints.js";
import { newDelivery } from "./new-delivery.js";
import { chargeTest } from "./subscriber-limits.js";
import { endpointSubscription, keySubscription, type Subscription, takesCallbacks } from "./subscription.js";
import type { WebhookContext } from "./webhook-context.js";

const LEASE_ID_BYTES = 12;

/**
 * Calls the webhookUrl of the key that asks, once, and tells what came of it.
 * Errors: forbidden for anybody but a key; rate-limited; NO_WEBHOOK_URL. Source: contract, Webhook test.
 */
export async function testKey(
  context: WebhookContext,
  actor: Actor,
  input: TestInput,
  now: Instant = context.clock.now(),
): Promise<Result<TestView, Problem>> {
  if (actor.kind !== "key") return err({ kind: "forbidden", message: "This tests the webhookUrl of an API key." });
  const { businessId, id } = actor;
  const refusal = await chargeTest(context, businessId, { kind: "key", id }, now);
  if (refusal !== null) return err(refusal);
  const key = await context.store.findKey(businessId, id);
  if (key === null || !takesCallbacks(key, now)) return err(noWebhookUrl);
  return ok(await sendTest(context, actor, keySubscription(context, key), input, now));
}

/** The same for an endpoint, disabled ones too. Errors: forbidden, not-found, rate-limited. */
export async function testEndpoint(
  context: WebhookContext,
  actor: Actor,
  endpointId: string,
  input: TestInput,
  now: Instant = context.clock.now(),
): Promise<Result<TestView, Problem>> {
  const forbidden = refuseUnlessAdministrator(actor);
  if (forbidden !== null) return err(forbidden);
  const endpoint = await findEndpoint(context, actor, endpointId);
  if (endpoint.isErr()) return err(endpoint.error);
  const refusal = await chargeTest(context, actor.businessId, { kind: "endpoint", id: endpointId }, now);
  if (refusal !== null) return err(refusal);
  return ok(await sendTest(context, actor, endpointSubscription(context, endpoint.value), input, now));
}

const noWebhookUrl: Problem = brokenRule("NO_WEBHOOK_URL", "This API key has no webhookUrl.", { field: "webhookUrl" });

/** A delivery of its own, tried once; it is kept and listed like any other. */
async function sendTest(
  context: WebhookContext,
  actor: Actor,
  subscription: Subscription,
  input: TestInput,
  now: Instant,
): Promise<TestView> {
  const id = await context.ids.next();
  const delivery = {
    ...newDelivery(
      {
        businessId: subscription.businessId,
        id,
        subscriber: subscription.subscriber,
        announcement: {
          type: input.event,
          occurredAt: now,
          data: input.data,
          id: null,
          sequence: null,
          ...originOf(actor),
        },
        delaysSeconds: [0],
      },
      now,
    ),
    attempts: 1,
    attemptsInRound: 1,
    lease: { id: randomToken(context.random, LEASE_ID_BYTES), until: now + LEASE_MS },
  };
  await context.store.insertDelivery(delivery);
  const { status, attempt } = await attemptDelivery(context, delivery, subscription);
  return {
    delivery_id: id,
    status,
    response_code: attempt?.responseCode ?? 0,
    response_time: attempt?.durationMs ?? 0,
    delivered_at: endOf(now, attempt?.durationMs ?? 0),
  };
}

/** When the answer had come. */
function endOf(startedAt: Instant, durationMs: number): string {
  return toTimestamp(startedAt + durationMs);
}
