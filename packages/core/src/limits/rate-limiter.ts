import { at } from "../kernel/arrays.js";
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from "../kernel/clock.js";
import type { Admission, RateLimitStore, Window } from "./rate-limit-store.js";

/** The decision on one request of a key. The fields describe the hour, as the response headers do. */
export interface RateDecision {
  readonly admitted: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Instant; // when the oldest request leaves the hour
  readonly refusal: LimitRefusal | null; // null = admitted
}

/** Describes the window that refused. */
export interface LimitRefusal {
  readonly limit: number;
  readonly remaining: 0;
  readonly resetAt: Instant; // when that window admits a request again
  readonly retryAfterSeconds: number; // at least 1
}

interface LimitedKey {
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
export async function admitKeyRequest(store: RateLimitStore, key: LimitedKey, now: Instant): Promise<RateDecision> {
  const hour: Window = { lengthMs: HOUR_MS, limit: key.rateLimitPerHour };
  const minute: Window = { lengthMs: MINUTE_MS, limit: burstOf(key.rateLimitPerHour) };
  const windows = [hour, minute];
  const admission = await store.consume(subjectOf(key), windows, now);
  const { used, freesAt } = at(admission.windows, 0);
  return {
    admitted: admission.admitted,
    limit: hour.limit,
    remaining: Math.max(0, hour.limit - used),
    resetAt: freesAt,
    refusal: refusalOf(admission, windows, now),
  };
}

/** Requests in the key's current hour. Charges nothing. */
export function currentUsageOf(store: RateLimitStore, key: LimitedKey, now: Instant): Promise<number> {
  return store.countConsumed(subjectOf(key), HOUR_MS, now);
}

function subjectOf({ businessId, id }: Pick<LimitedKey, "businessId" | "id">): string {
  return `key:${businessId}:${id}`;
}

/** null = admitted. */
export function refusalOf(admission: Admission, windows: readonly Window[], now: Instant): LimitRefusal | null {
  if (admission.refusedBy === null) return null;
  const { limit } = at(windows, admission.refusedBy);
  const { freesAt } = at(admission.windows, admission.refusedBy);
  const retryAfterSeconds = Math.max(1, Math.ceil((freesAt - now) / SECOND_MS));
  return { limit, remaining: 0, resetAt: freesAt, retryAfterSeconds };
}
