import { at } from "../kernel/at.js";
import { type Instant, MINUTE_MS } from "../kernel/clock.js";
import type { Problem } from "../kernel/problem.js";
import type { Subscriber } from "./delivery.js";
import type { WebhookContext } from "./webhook-context.js";

/** Source: contract, Limits, Webhook test operation. */
const TESTS = { lengthMs: MINUTE_MS, limit: 10 };

/** Charges one call of a subscriber for a test, be it the first or a retry; null = it may be made. */
export async function chargeTest(
  { limits }: Pick<WebhookContext, "limits">,
  businessId: string,
  { kind, id }: Subscriber,
  now: Instant,
): Promise<Problem | null> {
  const admission = await limits.admit(`webhook-test:${kind}:${businessId}:${id}`, [TESTS], now);
  if (admission.admitted) return null;
  return { kind: "rate-limited", limit: TESTS.limit, remaining: 0, resetAtMs: at(admission.windows, 0).freesAt };
}
