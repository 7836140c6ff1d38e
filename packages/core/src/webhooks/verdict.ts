import type { Instant } from "../kernel/clock.js";
import type { Random } from "../kernel/random.js";
import type { Delivery } from "./delivery.js";
import { nextAttemptAt } from "./retry-schedule.js";
import type { SendOutcome } from "./sender.js";

/** What follows from one call of a receiver. */
export interface Verdict {
  readonly status: "delivered" | "retrying" | "failed";
  readonly nextAttemptAt: Instant | null; // null unless retrying
  readonly isGone: boolean; // the receiver wants no calls any more
}

/** A test is made once, whatever the policy. */
const TEST_DELAYS_SECONDS: readonly number[] = [0];

/** The delays that a delivery is tried at. */
export function delaysFor({ eventId }: Delivery, delaysSeconds: readonly number[]): readonly number[] {
  return eventId === null ? TEST_DELAYS_SECONDS : delaysSeconds;
}

/** True when the schedule has a place for the attempt that was claimed. */
export function isScheduled(delivery: Delivery, delaysSeconds: readonly number[]): boolean {
  return delivery.attemptsInRound <= delaysFor(delivery, delaysSeconds).length;
}

/**
 * True when the attempt that was claimed is not too late. A retry must begin by the deadline; the first attempt is made
 * however late it comes: nobody who was down for a day loses what happened meanwhile.
 */
export function isInTime({ attemptsInRound, deadlineAt }: Delivery, now: Instant): boolean {
  return attemptsInRound === 1 || now <= deadlineAt;
}

/** 2xx delivers, 410 ends it, everything else is tried again as long as there is a place in the schedule. */
export function judge(
  outcome: SendOutcome,
  delivery: Delivery,
  delaysSeconds: readonly number[],
  now: Instant,
  random: Random,
): Verdict {
  const code = outcome.kind === "answered" ? outcome.responseCode : null;
  if (code !== null && code >= 200 && code <= 299) {
    return { status: "delivered", nextAttemptAt: null, isGone: false };
  }
  if (code === 410) return { status: "failed", nextAttemptAt: null, isGone: true };
  const state = {
    delaysSeconds: delaysFor(delivery, delaysSeconds),
    attemptsMade: delivery.attemptsInRound,
    deadlineAt: delivery.deadlineAt,
    retryAfterSeconds: outcome.kind === "answered" ? outcome.retryAfterSeconds : null,
  };
  const next = nextAttemptAt(state, now, random);
  return { status: next === null ? "failed" : "retrying", nextAttemptAt: next, isGone: false };
}
