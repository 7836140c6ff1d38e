import type { Instant } from "../../kernel/clock.js";
import { traceIdOf } from "../../kernel/trace-context.js";
import { type Attributes, deliveryChannel, isWatched, observed } from "../../telemetry/channels.js";
import type { Logger } from "../../telemetry/logger.js";
import type { Delivery } from "../delivery.js";
import type { SendOutcome } from "../transport/sender.js";
import type { WebhookContext } from "../webhook-context.js";
import type { AttemptOutcome } from "./classify-attempt.js";

/** A call of a receiver and its effect on the delivery. */
export interface ClassifiedCall {
  readonly response: SendOutcome;
  readonly outcome: AttemptOutcome;
  readonly now: Instant; // when the call was classified
}

export interface PlannedCall {
  readonly url: string;
  readonly traceparent: string | null; // null = not sent
}

/**
 * Makes a call and reports it to the channel `budgetkit:delivery` and to the logger: the host of the URL only, because
 * paths may hold secrets, and the status of the response only.
 */
export function observeDelivery(
  { clock, logger }: WebhookContext,
  delivery: Delivery,
  planned: PlannedCall,
  call: () => Promise<ClassifiedCall>,
): Promise<ClassifiedCall> {
  const classified = isWatched(deliveryChannel)
    ? observedDelivery(clock, attributesOf(delivery, planned), call)
    : call();
  return logger === null ? classified : classified.then((made) => logged(logger, delivery, made));
}

function logged(logger: Logger, delivery: Delivery, classified: ClassifiedCall): ClassifiedCall {
  const line = lineOf(delivery, classified);
  if (classified.outcome.status === "delivered") logger.debug(line, "webhook delivered");
  else logger.warn(line, "webhook not delivered");
  return classified;
}

function observedDelivery(
  clock: WebhookContext["clock"],
  attributes: Attributes,
  call: () => Promise<ClassifiedCall>,
): Promise<ClassifiedCall> {
  return observed(deliveryChannel, { attributes, durationMs: null }, clock, async () => {
    const classified = await call();
    const { response, outcome } = classified;
    attributes["budgetkit.delivery.outcome"] = outcome.status;
    if (response.kind === "answered") attributes["http.response.status_code"] = response.responseCode;
    if (outcome.status !== "delivered") attributes["error.type"] = errorTypeOf(response);
    return classified;
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

/** OpenTelemetry's `error.type`: the status as text, or `no_answer`. */
function errorTypeOf(response: SendOutcome): string {
  return response.kind === "answered" ? String(response.responseCode) : "no_answer";
}

function subscriberOf({ subscriber }: Delivery): string {
  return `${subscriber.kind}:${subscriber.id}`;
}

function lineOf(delivery: Delivery, { response, outcome }: ClassifiedCall): object {
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
    outcome: outcome.status,
    responseCode: response.kind === "answered" ? response.responseCode : null,
    durationMs: response.durationMs,
    ...(response.kind === "failed" ? { reason: response.error } : {}),
    ...(requestId === null ? {} : { requestId }),
    ...(traceId === null ? {} : { traceId }),
  };
}
