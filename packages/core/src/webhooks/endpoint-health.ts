import { DAY_MS, type Instant } from "../kernel/clock.js";
import { cancelWaiting } from "./bounded-steps.js";
import type { WebhookEndpoint } from "./endpoint.js";
import type { WebhookContext } from "./webhook-context.js";

/** What an attempt says of the endpoint: it works, it failed, or it wants no calls any more (410). */
export type EndpointSign = "works" | "failed" | "gone";

const FAILING_DAYS = 5;
const GONE = "The receiver answered 410 Gone.";
const FAILING = `No call has succeeded for ${FAILING_DAYS} days.`;

/** The endpoint as a sign leaves it; null when nothing changes. */
export function decideHealth(endpoint: WebhookEndpoint, sign: EndpointSign, now: Instant): WebhookEndpoint | null {
  const { status, failingSince } = endpoint;
  if (status === "DISABLED") return null;
  if (sign === "works") return failingSince === null ? null : { ...endpoint, failingSince: null };
  const disabled = { ...endpoint, status: "DISABLED", failingSince: failingSince ?? now } as const;
  if (sign === "gone") return { ...disabled, disabledReason: GONE };
  if (failingSince === null) return { ...endpoint, failingSince: now };
  return now - failingSince >= FAILING_DAYS * DAY_MS ? { ...disabled, disabledReason: FAILING } : null;
}

const ATTEMPTS = 10;

/**
 * Records a sign of a call to the endpoint as it was when the call began. It is judged by the endpoint as it is by now,
 * since other calls may have ended meanwhile. An endpoint that is disabled by it has its waiting deliveries cancelled;
 * one that was made ACTIVE again since, or leads elsewhere, has nothing to do with the sign.
 */
export async function recordHealth(
  { store }: WebhookContext,
  { businessId, id, healthRound }: WebhookEndpoint,
  sign: EndpointSign,
  now: Instant,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const current = await store.findEndpoint(businessId, id);
    if (current?.healthRound !== healthRound) return;
    const decided = decideHealth(current, sign, now);
    if (decided === null) return;
    const next = { ...decided, version: current.version + 1, updatedAt: now };
    if ((await store.replaceEndpoint(next, current.version)) === "written") {
      if (next.status === "DISABLED") await cancelWaiting(store, businessId, { kind: "endpoint", id }, now);
      return;
    }
  }
}
