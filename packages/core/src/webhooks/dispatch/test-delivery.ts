import { err, ok, type Result } from "neverthrow";
import { requireWritten } from "../../commit/match-committed.js";
import { type Actor, actorOrigin, refuseUnlessAdministrator } from "../../kernel/actor.js";
import { type Instant, toTimestamp } from "../../kernel/clock.js";
import { brokenRule, type Problem } from "../../kernel/problem.js";
import { randomToken } from "../../kernel/random.js";
import { refuseWhenFull } from "../../limits/storage-quota.js";
import type { TestInput, TestView } from "../deliveries/delivery-view.js";
import { chargeTest } from "../deliveries/subscriber-limits.js";
import {
  endpointSubscription,
  keySubscription,
  receivesCallbacks,
  type Subscription,
} from "../deliveries/subscription.js";
import { testDeliveryCommit } from "../endpoint-commits.js";
import { findEndpoint } from "../endpoints/manage-endpoints.js";
import type { WebhookContext } from "../webhook-context.js";
import { LEASE_MS, makeAttempt, settleAttempt } from "./attempt-delivery.js";
import { recordHealth } from "./endpoint-health.js";
import { newDelivery } from "./new-delivery.js";

const TOKEN_BYTES = 12;

/**
 * Calls the webhookUrl of the actor's key once and returns the result.
 * Errors: forbidden for actors other than keys; rate-limited; NO_WEBHOOK_URL, QUOTA_EXCEEDED. Source: contract, Webhook test.
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
  if (key === null || !receivesCallbacks(key, now)) return err(noWebhookUrl);
  const full = await refuseWhenFull(context.store, businessId, context.quota);
  if (full !== null) return err(full);
  return ok(await sendTest(context, actor, keySubscription(context, key), input, now));
}

/** Calls an endpoint, also a DISABLED one. Errors: forbidden, not-found, rate-limited, QUOTA_EXCEEDED. */
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
  const full = await refuseWhenFull(context.store, actor.businessId, context.quota);
  if (full !== null) return err(full);
  return ok(await sendTest(context, actor, endpointSubscription(context, endpoint.value), input, now));
}

const noWebhookUrl: Problem = brokenRule("NO_WEBHOOK_URL", "This API key has no webhookUrl.", { field: "webhookUrl" });

/** Creates a delivery with a single attempt; it is stored and listed as others are. */
async function sendTest(
  context: WebhookContext,
  actor: Actor,
  subscription: Subscription,
  input: TestInput,
  now: Instant,
): Promise<TestView> {
  const id = await context.ids.next(subscription.businessId);
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
          revision: null,
          ...actorOrigin(actor),
        },
        delaysSeconds: [0],
      },
      now,
    ),
    attempts: 1,
    attemptsSinceRestart: 1,
    lease: { token: randomToken(context.random, TOKEN_BYTES), until: now + LEASE_MS },
  };
  requireWritten(await context.commit(testDeliveryCommit(delivery)));
  const made = await makeAttempt(context, delivery, subscription);
  const { status, attempt } = await settleAttempt(context, delivery, made);
  if (made.health !== null) await recordHealth(context, made.health);
  return {
    delivery_id: id,
    status,
    response_code: attempt?.responseCode ?? 0,
    response_time: attempt?.durationMs ?? 0,
    delivered_at: toTimestamp(now + (attempt?.durationMs ?? 0)),
  };
}
