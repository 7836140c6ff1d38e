import type { Instant } from "../kernel/clock.js";
import { API_VERSION } from "../kernel/version.js";
import type { Attempt, Delivery, DeliveryStatus } from "./delivery.js";
import { recordHealth } from "./endpoint-health.js";
import { SEND_DEADLINE_MS, type SendOutcome } from "./sender.js";
import { signatureHeaders } from "./signature.js";
import type { Subscription } from "./subscription.js";
import { delaysFor, isInTime, isScheduled, judge } from "./verdict.js";
import type { WebhookContext } from "./webhook-context.js";

/** How long a claim holds: longer than a call can take, so that nobody takes over what is still under way. */
export const LEASE_MS = 2 * SEND_DEADLINE_MS;

/** What became of a delivery that was claimed; `attempt` is null when the receiver was not called. */
export interface AttemptResult {
  readonly status: DeliveryStatus;
  readonly attempt: Attempt | null;
  readonly settled: "written" | "lost"; // lost = somebody took it over, or cancelled it
}

/**
 * Carries out one attempt of a delivery that the caller holds the lease of, and settles it. `subscription` is who it goes
 * to as they are now; null when they take no deliveries any more. `ended` is awaited between a call and its settlement.
 */
export async function attemptDelivery(
  context: WebhookContext,
  delivery: Delivery,
  subscription: Subscription | null,
  ended: () => Promise<void> = async () => {},
): Promise<AttemptResult> {
  const startedAt = context.clock.now();
  if (subscription === null) return settle(context, delivery, cancelled, null);
  if (!(await mayCall(context, delivery, subscription, startedAt))) {
    const takenBack = await claimsWithoutCall(context, delivery, subscription);
    return settle(context, delivery, { ...failed, takenBack }, null);
  }
  const outcome = await callReceiver(context, delivery, subscription, startedAt);
  const now = context.clock.now();
  const verdict = judge(outcome, delivery, subscription.delaysSeconds, now, context.random);
  await ended();
  const result = await settle(context, delivery, verdict, attemptOf(delivery, startedAt, outcome));
  if (subscription.endpoint !== null && delivery.eventId !== null) {
    const sign = verdict.status === "delivered" ? "works" : verdict.isGone ? "gone" : "failed";
    await recordHealth(context, subscription.endpoint, sign, now);
  }
  return result;
}

/** How a delivery leaves an attempt. */
interface Ending {
  readonly status: DeliveryStatus;
  readonly nextAttemptAt: Instant | null;
  readonly takenBack?: number; // claims that led to no call; none by default
}

const cancelled: Ending = { status: "cancelled", nextAttemptAt: null, takenBack: 1 };
const failed: Ending = { status: "failed", nextAttemptAt: null };

/**
 * Whether the schedule has a place for this attempt. After the deadline it is for nobody but a delivery of which no call
 * is known: whoever claimed it first may have died before the call.
 */
async function mayCall(
  { store }: WebhookContext,
  delivery: Delivery,
  { delaysSeconds }: Subscription,
  now: Instant,
): Promise<boolean> {
  if (!isScheduled(delivery, delaysSeconds)) return false;
  if (isInTime(delivery, now)) return true;
  const { businessId, id, attempts, attemptsInRound } = delivery;
  const known = await store.listAttempts(businessId, id);
  return known.every(({ number }) => number <= attempts - attemptsInRound);
}

/** Beyond its schedule a delivery may be claimed more than once, should processes die before they settle that. */
async function claimsWithoutCall(
  { store }: WebhookContext,
  delivery: Delivery,
  { delaysSeconds }: Subscription,
): Promise<number> {
  const { businessId, id, attempts, attemptsInRound } = delivery;
  const scheduled = attempts - attemptsInRound + delaysFor(delivery, delaysSeconds).length;
  const made = Math.max(0, ...(await store.listAttempts(businessId, id)).map(({ number }) => number));
  return Math.max(1, attempts - Math.max(made, scheduled));
}

/** Lets go of a delivery that was claimed and not called: it is due as before, and the claim does not count. */
export async function giveBack(context: WebhookContext, delivery: Delivery): Promise<null> {
  const due: Ending = { status: delivery.status, nextAttemptAt: context.clock.now(), takenBack: 1 };
  await settle(context, delivery, due, null);
  return null;
}

async function settle(
  { store, clock }: WebhookContext,
  { businessId, id, lease }: Delivery,
  { status, nextAttemptAt, takenBack = 0 }: Ending,
  attempt: Attempt | null,
): Promise<AttemptResult> {
  if (lease === null) throw new Error(`nobody holds the lease of delivery ${id}`);
  const now = clock.now();
  const settled = await store.settle({
    businessId,
    deliveryId: id,
    leaseId: lease.id,
    attempt,
    takenBack,
    status,
    nextAttemptAt,
    now,
  });
  return { status, attempt, settled };
}

/** Whatever goes wrong on our own side counts as a failed call: it is reported, and the schedule goes on. */
async function callReceiver(
  { sender, allowPrivateDestinations, onError }: WebhookContext,
  { id, body }: Delivery,
  { url, allowedIps, secretsAt }: Subscription,
  startedAt: Instant,
): Promise<SendOutcome> {
  try {
    const signed = signatureHeaders({ deliveryId: id, sentAt: startedAt, body, secrets: secretsAt(startedAt) });
    return await sender.send({
      url,
      headers: { "content-type": "application/json", "user-agent": `Budgetkit/${API_VERSION}`, ...signed },
      body,
      deadlineMs: SEND_DEADLINE_MS,
      allowedIps,
      allowPrivate: allowPrivateDestinations,
    });
  } catch (error) {
    onError(error);
    return { kind: "failed", error: "The service could not make this call.", durationMs: 0 };
  }
}

function attemptOf({ businessId, id, attempts }: Delivery, startedAt: Instant, outcome: SendOutcome): Attempt {
  const isAnswered = outcome.kind === "answered";
  return {
    businessId,
    deliveryId: id,
    number: attempts,
    startedAt,
    durationMs: outcome.durationMs,
    responseCode: isAnswered ? outcome.responseCode : null,
    responseBody: isAnswered ? outcome.responseBody : null,
    error: isAnswered ? null : outcome.error,
  };
}
