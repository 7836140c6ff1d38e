import type { Instant } from "../../kernel/clock.js";
import type { Random } from "../../kernel/random.js";
import { nextAttemptAt } from "../deliveries/retry-schedule.js";
import type { Delivery } from "../delivery.js";
import type { SendOutcome } from "../transport/sender.js";

/** The effect of one call on its delivery. */
export interface AttemptOutcome {
  readonly status: "delivered" | "retrying" | "failed";
  readonly nextAttemptAt: Instant | null; // null unless retrying
  readonly isGone: boolean; // the receiver returned 410 Gone
}

/** A test has one attempt, independent of the retry policy. */
const TEST_DELAYS_SECONDS: readonly number[] = [0];

export function delaysFor({ eventId }: Delivery, delaysSeconds: readonly number[]): readonly number[] {
  return eventId === null ? TEST_DELAYS_SECONDS : delaysSeconds;
}

/** True when the schedule includes the claimed attempt. */
export function isScheduled(delivery: Delivery, delaysSeconds: readonly number[]): boolean {
  return delivery.attemptsSinceRestart <= delaysFor(delivery, delaysSeconds).length;
}

/**
 * True when the claimed attempt is not too late. A retry must begin by the deadline. The first attempt has no deadline, so
 * that an outage of the service loses no events.
 */
export function isInTime({ attemptsSinceRestart, deadlineAt }: Delivery, now: Instant): boolean {
  return attemptsSinceRestart === 1 || now <= deadlineAt;
}

/** 2xx delivers, 410 fails for good, everything else is retried as long as the schedule allows. */
export function classifyAttempt(
  response: SendOutcome,
  delivery: Delivery,
  delaysSeconds: readonly number[],
  now: Instant,
  random: Random,
): AttemptOutcome {
  const code = response.kind === "answered" ? response.responseCode : null;
  if (code !== null && code >= 200 && code <= 299) {
    return { status: "delivered", nextAttemptAt: null, isGone: false };
  }
  if (code === 410) return { status: "failed", nextAttemptAt: null, isGone: true };
  const state = {
    delaysSeconds: delaysFor(delivery, delaysSeconds),
    attemptsMade: delivery.attemptsSinceRestart,
    deadlineAt: delivery.deadlineAt,
    retryAfterSeconds: response.kind === "answered" ? response.retryAfterSeconds : null,
  };
  const next = nextAttemptAt(state, now, random);
  return { status: next === null ? "failed" : "retrying", nextAttemptAt: next, isGone: false };
}
