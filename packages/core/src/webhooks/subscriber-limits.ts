import { at } from "../kernel/at.js";
import { type Instant, MINUTE_MS } from "../kernel/clock.js";
import type { Problem } from "../kernel/problem.js";
import type { Window } from "../limits/rate-limit-store.js";
import type { Subscriber } from "./delivery.js";
import type { WebhookContext } from "./webhook-context.js";

/** Source: contract, Limits, Webhook test operation. */
const TESTS = { lengthMs: MINUTE_MS, limit: 10 };

/** Each one may begin a whole backlog anew. */
const RECOVERIES = { lengthMs: MINUTE_MS, limit: 1 };

/** Charges one call of a subscriber for a test, be it the first or a retry; null = it may be made. */
export function chargeTest(
  context: Pick<WebhookContext, "limits">,
  businessId: string,
  subscriber: Subscriber,
  now: Instant,
): Promise<Problem | null> {
  return charge(context, TESTS, `webhook-test:${nameOf(businessId, subscriber)}`, now);
}

/** Charges one recovery of what a subscriber never had; null = it may begin. */
export function chargeRecovery(
  context: Pick<WebhookContext, "limits">,
  businessId: string,
  subscriber: Subscriber,
  now: Instant,
): Promise<Problem | null> {
  return charge(context, RECOVERIES, `webhook-recovery:${nameOf(businessId, subscriber)}`, now);
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
  const admission = await limits.admit(subject, [window], now);
  if (admission.admitted) return null;
  return { kind: "rate-limited", limit: window.limit, remaining: 0, resetAtMs: at(admission.windows, 0).freesAt };
}
