import { expect, it } from "vitest";
import { DAY_MS } from "../../kernel/clock.js";
import { answered } from "../../testing/webhook-world.js";
import { DEFAULT_DELAYS_SECONDS } from "../deliveries/retry-schedule.js";
import type { Delivery } from "../delivery.js";
import type { SendOutcome } from "../transport/sender.js";
import { classifyAttempt, isInTime, isScheduled } from "./classify-attempt.js";
import { newDelivery } from "./new-delivery.js";

const NOW = 1_000_000_000;
const random = { bytes: (size: number) => new Uint8Array(size) }; // the shortest delay: four fifths

function deliveryOn(attempt: number, overrides: Partial<Delivery> = {}): Delivery {
  const announcement = {
    type: "budget.created",
    occurredAt: NOW,
    data: {},
    id: "90",
    sequence: 1,
    revision: 1,
  } as const;
  const subscriber = { kind: "endpoint", id: "60" } as const;
  const made = newDelivery(
    { businessId: "1", id: "70", subscriber, announcement, delaysSeconds: DEFAULT_DELAYS_SECONDS },
    NOW,
  );
  return { ...made, attempts: attempt, attemptsSinceRestart: attempt, ...overrides };
}

function outcomeOf(response: SendOutcome, attempt = 1, overrides: Partial<Delivery> = {}) {
  return classifyAttempt(response, deliveryOn(attempt, overrides), DEFAULT_DELAYS_SECONDS, NOW, random);
}

it.each([200, 201, 202, 204, 299])("delivers by a response of %i", (code) => {
  expect(outcomeOf(answered(code))).toEqual({ status: "delivered", nextAttemptAt: null, isGone: false });
});

it.each([100, 199, 300, 301, 304, 307, 400, 404, 429, 500, 503])("retries after a response of %i", (code) => {
  expect(outcomeOf(answered(code))).toEqual({ status: "retrying", nextAttemptAt: NOW + 48_000, isGone: false });
});

it("retries when no response came", () => {
  const failed: SendOutcome = { kind: "failed", error: "x", durationMs: 1 };
  expect(outcomeOf(failed, 2)).toEqual({ status: "retrying", nextAttemptAt: NOW + 240_000, isGone: false });
});

it("retries after the time that the receiver's Retry-After asks for", () => {
  expect(outcomeOf(answered(503, 3_600)).nextAttemptAt).toBe(NOW + 3_600_000);
});

it("fails a delivery with its sixth attempt", () => {
  expect(outcomeOf(answered(500), 6)).toEqual({ status: "failed", nextAttemptAt: null, isGone: false });
});

it("fails a delivery at once by a response of 410", () => {
  expect(outcomeOf(answered(410))).toEqual({ status: "failed", nextAttemptAt: null, isGone: true });
});

it("makes one attempt of a test", () => {
  expect(outcomeOf(answered(500), 1, { eventId: null })).toMatchObject({ status: "failed" });
});

it("schedules one attempt for each entry of the retry policy", () => {
  const allowed = (attempt: number) => isScheduled(deliveryOn(attempt), DEFAULT_DELAYS_SECONDS);
  expect([1, 2, 6, 7].map(allowed)).toEqual([true, true, true, false]);
  expect(isScheduled(deliveryOn(2), [0])).toBe(false);
  expect(isScheduled(deliveryOn(2, { eventId: null }), DEFAULT_DELAYS_SECONDS)).toBe(false);
});

it("allows retries up to the deadline, and the first attempt however late", () => {
  expect(isInTime(deliveryOn(2), NOW + DAY_MS)).toBe(true);
  expect(isInTime(deliveryOn(2), NOW + DAY_MS + 1)).toBe(false);
  expect(isInTime(deliveryOn(1), NOW + 9 * DAY_MS)).toBe(true);
});
