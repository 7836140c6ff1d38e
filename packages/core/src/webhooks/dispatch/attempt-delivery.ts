import { type Instant, SECOND_MS } from "../../kernel/clock.js";
import { API_VERSION } from "../../kernel/fields.js";
import { childOf, type TraceContext, traceHeaders } from "../../kernel/trace-context.js";
import { isStorageFull } from "../../limits/storage-quota.js";
import type { Subscription } from "../deliveries/subscription.js";
import type { Attempt, Delivery, DeliveryStatus } from "../delivery.js";
import { SEND_DEADLINE_MS, type SendOutcome } from "../transport/sender.js";
import type { WebhookContext } from "../webhook-context.js";
import { type AttemptOutcome, classifyAttempt, delaysFor, isInTime, isScheduled } from "./classify-attempt.js";
import type { HealthReport, HealthSignal } from "./endpoint-health.js";
import { observeDelivery } from "./observe-delivery.js";

/** The duration of a lease: longer than a call, so that no other claim takes over a call in flight. */
export const LEASE_MS = 2 * SEND_DEADLINE_MS;

/** How long a settlement may take after its call. */
const SETTLES_WITHIN_MS = 10 * SECOND_MS;

/** A call that begins so long after its claim is settled while the lease holds. */
export const CALLS_WITHIN_MS = LEASE_MS - SEND_DEADLINE_MS - SETTLES_WITHIN_MS;

export interface AttemptResult {
  readonly status: DeliveryStatus;
  readonly attempt: Attempt | null; // null = the receiver was not called
  readonly settled: "written" | "lease-lost"; // lease lost = another claim took it over, or it was cancelled
}

/** An attempt that is not settled yet. */
export interface MadeAttempt {
  readonly next: NextState;
  readonly attempt: Attempt | null; // null = the receiver was not called
  readonly health: HealthReport | null; // null = it does not count
}

/**
 * Calls the receiver. The caller holds the lease. `subscription` is the current state of the subscriber; null = it must
 * not get this delivery.
 */
export async function makeAttempt(
  context: WebhookContext,
  delivery: Delivery,
  subscription: Subscription | null,
): Promise<MadeAttempt> {
  const startedAt = context.clock.now();
  if (subscription === null) return uncalled(cancelled);
  const { delaysSeconds, endpoint } = subscription;
  const isScheduledNow = isScheduled(delivery, delaysSeconds);
  if (!isScheduledNow || !(isInTime(delivery, startedAt) || (await isUncalled(context, delivery)))) {
    return uncalled({ ...failed, refundedAttempts: await claimsWithoutCall(context, delivery, delaysSeconds) });
  }
  const trace = delivery.origin?.trace == null ? null : childOf(delivery.origin.trace, context.random);
  const planned = { url: subscription.url, traceparent: trace?.traceparent ?? null };
  const { response, outcome, now } = await observeDelivery(context, delivery, planned, async () => {
    const response = await callReceiver(context, delivery, subscription, startedAt, trace);
    const now = context.clock.now();
    return { response, outcome: classifyAttempt(response, delivery, delaysSeconds, now, context.random), now };
  });
  const signal = healthSignalOf(delivery, outcome);
  const health = endpoint === null || signal === null ? null : { endpoint, signal, now };
  return { next: outcome, attempt: attemptOf(delivery, startedAt, response), health };
}

const uncalled = (next: NextState): MadeAttempt => ({ next, attempt: null, health: null });

/** A test only counts if it succeeds: a person may test a receiver that is not finished. null = it does not count. */
function healthSignalOf({ eventId }: Delivery, { status, isGone }: AttemptOutcome): HealthSignal | null {
  if (status === "delivered") return "works";
  if (eventId === null) return null;
  return isGone ? "gone" : "failed";
}

/** The new state of a delivery after an attempt. */
interface NextState {
  readonly status: DeliveryStatus;
  readonly nextAttemptAt: Instant | null; // null = no attempt follows
  readonly refundedAttempts?: number; // claims without a call; default 0
}

const cancelled: NextState = { status: "cancelled", nextAttemptAt: null, refundedAttempts: 1 };
const failed: NextState = { status: "failed", nextAttemptAt: null };

/**
 * True when no call is recorded since the last restart. Such a delivery may be sent after its deadline: the process
 * that claimed it first may have crashed before the call.
 */
async function isUncalled({ store }: WebhookContext, delivery: Delivery): Promise<boolean> {
  const { businessId, id, attempts, attemptsSinceRestart } = delivery;
  const known = await store.listAttempts(businessId, id);
  return known.every(({ number }) => number <= attempts - attemptsSinceRestart);
}

/** The claims to refund. Processes that crash before they settle a delivery claim it beyond its schedule. */
async function claimsWithoutCall(
  { store }: WebhookContext,
  delivery: Delivery,
  delaysSeconds: readonly number[],
): Promise<number> {
  const { businessId, id, attempts, attemptsSinceRestart } = delivery;
  const scheduled = attempts - attemptsSinceRestart + delaysFor(delivery, delaysSeconds).length;
  const made = Math.max(0, ...(await store.listAttempts(businessId, id)).map(({ number }) => number));
  return Math.max(1, attempts - Math.max(made, scheduled));
}

/** What identifies a delivery and its lease. */
export type Leased = Pick<Delivery, "businessId" | "id" | "lease" | "status">;

/** Releases a claimed delivery without a call: it is due again, and the claim does not count as an attempt. */
export async function releaseUncalled(context: WebhookContext, delivery: Leased): Promise<null> {
  const due: NextState = { status: delivery.status, nextAttemptAt: context.clock.now(), refundedAttempts: 1 };
  await settleAttempt(context, delivery, uncalled(due));
  return null;
}

/** Writes the attempt and the new state of the delivery, if the lease still holds. */
export async function settleAttempt(
  context: WebhookContext,
  { businessId, id, lease }: Omit<Leased, "status">,
  { next: { status, nextAttemptAt, refundedAttempts = 0 }, attempt: made }: MadeAttempt,
): Promise<AttemptResult> {
  if (lease === null) throw new Error(`delivery ${id} is not leased`);
  const { store, clock } = context;
  const isLong = made !== null && (made.responseBody ?? "").length > ALWAYS_KEPT;
  const attempt = isLong ? await withinQuota(context, made) : made; // short ones, which most are, need no wait
  const now = clock.now();
  const settled = await store.settle({
    businessId,
    deliveryId: id,
    fencingToken: lease.token,
    attempt,
    refundedAttempts,
    status,
    nextAttemptAt,
    now,
  });
  return { status, attempt, settled };
}

/** The characters of a response that every business keeps. */
const ALWAYS_KEPT = 128;
const LONE_SURROGATE = /[\uD800-\uDBFF]$/; // the half of a character that was cut

/** A business whose quota is used up keeps the beginnings of responses: retries go on, and each is recorded. */
async function withinQuota({ store, quota }: WebhookContext, attempt: Attempt): Promise<Attempt> {
  if (!(await isStorageFull(store, attempt.businessId, quota))) return attempt;
  const responseBody = attempt.responseBody?.slice(0, ALWAYS_KEPT).replace(LONE_SURROGATE, "") ?? null;
  return { ...attempt, responseBody };
}

/** Reports an error of the service itself and counts it as a failed call, so that the schedule continues. */
async function callReceiver(
  { sender, allowPrivateDestinations, onError }: WebhookContext,
  { id, body }: Delivery,
  { url, allowedIps, sign }: Subscription,
  startedAt: Instant,
  trace: TraceContext | null,
): Promise<SendOutcome> {
  try {
    return await sender.send({
      url,
      headers: {
        "content-type": "application/json",
        "user-agent": `Budgetkit/${API_VERSION}`,
        ...sign({ deliveryId: id, sentAt: startedAt, body }),
        ...(trace === null ? {} : traceHeaders(trace)),
      },
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

function attemptOf({ businessId, id, attempts }: Delivery, startedAt: Instant, response: SendOutcome): Attempt {
  const isAnswered = response.kind === "answered";
  return {
    businessId,
    deliveryId: id,
    number: attempts,
    startedAt,
    durationMs: response.durationMs,
    responseCode: isAnswered ? response.responseCode : null,
    responseBody: isAnswered ? response.responseBody : null,
    error: isAnswered ? null : response.error,
  };
}
