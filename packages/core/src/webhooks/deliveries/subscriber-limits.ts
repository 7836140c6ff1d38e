import type { Subscriber } from "../../events/event.js";
import { type Instant, MINUTE_MS } from "../../kernel/clock.js";
import { type Problem, TOO_MANY_REQUESTS } from "../../kernel/problem.js";
import type { Window } from "../../limits/rate-limit-store.js";
import type { WebhookContext } from "../webhook-context.js";

/** Source: contract, Limits, Webhook test operation. */
const TESTS = { lengthMs: MINUTE_MS, limit: 10 };

/** One call may redeliver a whole backlog. */
const REDELIVERIES = { lengthMs: MINUTE_MS, limit: 1 };

/** Each start may send a thousand deliveries at once. */
const REPLAYS = { lengthMs: MINUTE_MS, limit: 10 };

/** Charges one test call, a first one or a retry; null = allowed. */
export function chargeTest(
  context: Pick<WebhookContext, "limits">,
  businessId: string,
  subscriber: Subscriber,
  now: Instant,
): Promise<Problem | null> {
  return charge(context, TESTS, `webhook-test:${nameOf(businessId, subscriber)}`, now);
}

/** Charges one redelivery of a backlog; null = allowed. */
export function chargeRedelivery(
  context: Pick<WebhookContext, "limits">,
  businessId: string,
  subscriber: Subscriber,
  now: Instant,
): Promise<Problem | null> {
  return charge(context, REDELIVERIES, `webhook-recovery:${nameOf(businessId, subscriber)}`, now);
}

/** Charges the start of one replay; null = allowed. */
export function chargeReplay(
  context: Pick<WebhookContext, "limits">,
  businessId: string,
  endpointId: string,
  now: Instant,
): Promise<Problem | null> {
  return charge(context, REPLAYS, `webhook-replay:${nameOf(businessId, { kind: "endpoint", id: endpointId })}`, now);
}

function nameOf(businessId: string, { kind, id }: Subscriber): string {
  return `${kind}:${businessId}:${id}`;
}

async function charge(
  { limits }: Pick<WebhookContext, "limits">,
  window: Window,
  subject: string,
  now: Instant,
): Promise<Problem | null> {
  const { refusal } = await limits.consume(subject, [window], now);
  if (refusal === null) return null;
  const { limit } = window;
  return { kind: "rate-limited", message: TOO_MANY_REQUESTS, limit, remaining: 0, resetAtMs: refusal.freesAt };
}
