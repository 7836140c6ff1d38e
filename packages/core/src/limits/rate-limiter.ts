import { at } from "../kernel/arrays.js";
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from "../kernel/clock.js";
import type { Admission, RateLimitStore, Window } from "./rate-limit-store.js";

/** The decision on one request of a key or user. The fields describe the hour, as the response headers do. */
export interface RateDecision {
  readonly limit: number;
  readonly burst: number; // the limit of the minute
  readonly remaining: number;
  readonly resetAt: Instant; // when the oldest request leaves the hour
  readonly refusal: LimitRefusal | null; // null = admitted
}

/** The windows of each user. */
export interface UserRateLimit {
  readonly perHour: number | null; // null = the default rate of the business's tier
  readonly perMinute: number | null; // null = the burst of the hourly rate
}

/** Describes the window that refused. */
export interface LimitRefusal {
  readonly limit: number;
  readonly remaining: 0;
  readonly resetAt: Instant; // when that window admits a request again
  readonly retryAfterSeconds: number; // at least 1
}

/** A key, or a user with the rate of each user. */
interface Limited {
  readonly businessId: string;
  readonly id: string;
  readonly rateLimitPerHour: number;
}

const MIN_BURST = 100;
const BURSTS_PER_HOUR = 30;

/**
 * Requests per minute of a key: 100, or a thirtieth of the hourly rate if that is more, so that a key can use a higher
 * rate. Source: contract, Limits, Burst.
 */
export function burstOf(rateLimitPerHour: number): number {
  return Math.max(MIN_BURST, Math.floor(rateLimitPerHour / BURSTS_PER_HOUR));
}

/** Charges one request to the key's hour and minute, or to neither. */
export function admitKeyRequest(store: RateLimitStore, key: Limited, now: Instant): Promise<RateDecision> {
  return admit(store, subjectOf("key", key), key.rateLimitPerHour, now);
}

/** The same two windows for a user, for all sessions of the user; `burst` null = that of the hourly rate. */
export function admitUserRequest(
  store: RateLimitStore,
  user: Limited & { readonly burst: number | null },
  now: Instant,
): Promise<RateDecision> {
  return admit(store, subjectOf("user", user), user.rateLimitPerHour, now, user.burst);
}

async function admit(
  store: RateLimitStore,
  subject: string,
  rateLimitPerHour: number,
  now: Instant,
  burst: number | null = null,
): Promise<RateDecision> {
  const hour: Window = { lengthMs: HOUR_MS, limit: rateLimitPerHour };
  const minute: Window = { lengthMs: MINUTE_MS, limit: burst ?? burstOf(rateLimitPerHour) };
  const windows = [hour, minute];
  const admission = await store.consume(subject, windows, now);
  return {
    limit: hour.limit,
    burst: minute.limit,
    remaining: Math.max(0, hour.limit - admission.used),
    resetAt: admission.freesAt,
    refusal: refusalOf(admission, windows, now),
  };
}

/** Requests in the key's current hour. Charges nothing. */
export function currentUsageOf(store: RateLimitStore, key: Limited, now: Instant): Promise<number> {
  return store.countConsumed(subjectOf("key", key), HOUR_MS, now);
}

/** The id comes last: that of a user may be any text of the host's, and still names no other subject. */
function subjectOf(kind: "key" | "user", { businessId, id }: Pick<Limited, "businessId" | "id">): string {
  return `${kind}:${businessId}:${id}`;
}

/** null = admitted. */
export function refusalOf({ refusal }: Admission, windows: readonly Window[], now: Instant): LimitRefusal | null {
  if (refusal === null) return null;
  const { window, freesAt } = refusal;
  const { limit } = at(windows, window);
  const retryAfterSeconds = Math.max(1, Math.ceil((freesAt - now) / SECOND_MS));
  return { limit, remaining: 0, resetAt: freesAt, retryAfterSeconds };
}
