import type { Instant } from "../kernel/clock.js";
import { traceIdOf } from "../kernel/trace-context.js";
import { type Attributes, deliveryChannel, isWatched, observed } from "../telemetry/channels.js";
import type { Delivery } from "./delivery.js";
import type { SendOutcome } from "./sender.js";
import type { Verdict } from "./verdict.js";
import type { WebhookContext } from "./webhook-context.js";

/** A call of a receiver and what follows from it. */
export interface JudgedCall {
  readonly outcome: SendOutcome;
  readonly verdict: Verdict;
  readonly now: Instant; // when it was judged
}

/** What is known of a call before it is made. */
export interface PlannedCall {
  readonly url: string;
  readonly traceparent: string | null; // that is sent; null = none
}

/**
 * Makes a call such that the channel `budgetkit:delivery` and the logger are told of it: of the receiver's address its
 * host alone, since paths hold secrets of receivers, and of what it answered the status alone.
 */
export async function observeDelivery(
  { clock, logger }: WebhookContext,
  delivery: Delivery,
  planned: PlannedCall,
  call: () => Promise<JudgedCall>,
): Promise<JudgedCall> {
  const judged = isWatched(deliveryChannel)
    ? await observedDelivery(clock, attributesOf(delivery, planned), call)
    : await call();
  if (logger !== null) {
    const line = lineOf(delivery, judged);
    if (judged.verdict.status === "delivered") logger.debug(line, "webhook delivered");
    else logger.warn(line, "webhook not delivered");
  }
  return judged;
}

function observedDelivery(
  clock: WebhookContext["clock"],
  attributes: Attributes,
  call: () => Promise<JudgedCall>,
): Promise<JudgedCall> {
  return observed(deliveryChannel, { attributes, durationMs: null }, clock, async () => {
    const judged = await call();
    const { outcome, verdict } = judged;
    attributes["budgetkit.delivery.outcome"] = verdict.status;
    if (outcome.kind === "answered") attributes["http.response.status_code"] = outcome.responseCode;
    if (verdict.status !== "delivered") attributes["error.type"] = errorTypeOf(outcome);
    return judged;
  });
}

function attributesOf(delivery: Delivery, { url, traceparent }: PlannedCall): Attributes {
  const { protocol, hostname, port } = new URL(url);
  const scheme = protocol === "http:" ? "http" : "https";
  const attributes: Attributes = {
    "http.request.method": "POST",
    "http.request.body.size": Buffer.byteLength(delivery.body),
    "http.request.resend_count": delivery.attempts - 1,
    "url.scheme": scheme,
    "server.address": hostname,
    "server.port": port === "" ? DEFAULT_PORTS[scheme] : Number(port),
    "messaging.operation.type": "send",
    "messaging.message.id": delivery.id,
    "budgetkit.event.type": delivery.eventType,
    "budgetkit.business.id": delivery.businessId,
    "budgetkit.subscriber": subscriberOf(delivery),
  };
  const requestId = delivery.origin?.requestId;
  if (typeof requestId === "string") attributes["budgetkit.request.id"] = requestId;
  if (traceparent !== null) attributes["budgetkit.traceparent"] = traceparent;
  return attributes;
}

const DEFAULT_PORTS = { http: 80, https: 443 } as const;

/** Source: OpenTelemetry, `error.type`: the status as text, or a word for what has none. */
function errorTypeOf(outcome: SendOutcome): string {
  return outcome.kind === "answered" ? String(outcome.responseCode) : "no_answer";
}

function subscriberOf({ subscriber }: Delivery): string {
  return `${subscriber.kind}:${subscriber.id}`;
}

function lineOf(delivery: Delivery, { outcome, verdict }: JudgedCall): object {
  const { businessId, id, eventId, eventType, attempts, origin } = delivery;
  const traceId = origin?.trace == null ? null : traceIdOf(origin.trace);
  const { requestId = null } = origin ?? {};
  return {
    businessId,
    deliveryId: id,
    eventId,
    eventType,
    subscriber: subscriberOf(delivery),
    attempt: attempts,
    outcome: verdict.status,
    responseCode: outcome.kind === "answered" ? outcome.responseCode : null,
    durationMs: outcome.durationMs,
    ...(outcome.kind === "failed" ? { reason: outcome.error } : {}),
    ...(requestId === null ? {} : { requestId }),
    ...(traceId === null ? {} : { traceId }),
  };
}
