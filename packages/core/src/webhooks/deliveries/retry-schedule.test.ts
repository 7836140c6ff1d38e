import { seededRandom } from "@budgetkit/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../kernel/clock.js";
import type { Random } from "../../kernel/random.js";
import { DEFAULT_DELAYS_SECONDS, deadlineOf, nextAttemptAt, type RetryState } from "./retry-schedule.js";

const NOW = 1_000_000;
const always = (byte: number): Random => ({ bytes: (size) => new Uint8Array(size).fill(byte) });

function stateAfter(attemptsMade: number, overrides: Partial<RetryState> = {}): RetryState {
  return {
    delaysSeconds: DEFAULT_DELAYS_SECONDS,
    attemptsMade,
    deadlineAt: NOW + DAY_MS,
    retryAfterSeconds: null,
    ...overrides,
  };
}

describe("the retry schedule", () => {
  it("the retry schedule is the contract's: at once, then after 1, 5 and 30 minutes, 2 and 12 hours", () => {
    expect(DEFAULT_DELAYS_SECONDS).toEqual([0, 60, 300, 1_800, 7_200, 43_200]);
  });

  it.each([
    [1, 60],
    [2, 300],
    [3, 1_800],
    [4, 7_200],
    [5, 43_200],
  ])("the retry after attempt %i comes after %i seconds, a fifth more or less", (made, seconds) => {
    expect(nextAttemptAt(stateAfter(made), NOW, always(0))).toBe(NOW + seconds * 800);
    expect(nextAttemptAt(stateAfter(made), NOW, always(128))).toBeCloseTo(NOW + seconds * 1_000, -6);
    const longest = Number(nextAttemptAt(stateAfter(made), NOW, always(255)));
    expect(longest).toBeGreaterThan(NOW + seconds * 1_199);
    expect(longest).toBeLessThanOrEqual(NOW + seconds * 1_200);
  });

  it("retries end after the sixth attempt", () => {
    expect(nextAttemptAt(stateAfter(6), NOW, always(0))).toBeNull();
    expect(nextAttemptAt(stateAfter(7), NOW, always(0))).toBeNull();
  });

  it("retries end at the deadline", () => {
    expect(nextAttemptAt(stateAfter(1, { deadlineAt: NOW + 48_000 }), NOW, always(0))).toBe(NOW + 48_000);
    expect(nextAttemptAt(stateAfter(1, { deadlineAt: NOW + 47_999 }), NOW, always(0))).toBeNull();
  });

  it("waits as long as the receiver requests by Retry-After", () => {
    expect(nextAttemptAt(stateAfter(1, { retryAfterSeconds: 600 }), NOW, always(0))).toBe(NOW + 600_000);
  });

  it("a Retry-After never hastens a retry", () => {
    expect(nextAttemptAt(stateAfter(1, { retryAfterSeconds: 0 }), NOW, always(0))).toBe(NOW + 48_000);
  });

  it("ignores a Retry-After beyond the deadline", () => {
    const deadlineAt = NOW + 10 * MINUTE_MS;
    expect(nextAttemptAt(stateAfter(1, { retryAfterSeconds: 600, deadlineAt }), NOW, always(0))).toBe(deadlineAt);
    expect(nextAttemptAt(stateAfter(1, { retryAfterSeconds: 601, deadlineAt }), NOW, always(0))).toBe(NOW + 48_000);
  });

  it("every possible retry policy fits its deadline, whatever the jitter", () => {
    const delays = fc.array(fc.integer({ min: 0, max: 86_400 }), { maxLength: 11 }).map((rest) => [0, ...rest]);
    fc.assert(
      fc.property(delays, fc.integer(), (delaysSeconds, seed) => {
        const random = seededRandom(seed);
        const deadlineAt = deadlineOf(delaysSeconds, NOW);
        let at = NOW;
        for (let attemptsMade = 1; attemptsMade < delaysSeconds.length; attemptsMade += 1) {
          const next = nextAttemptAt({ delaysSeconds, attemptsMade, deadlineAt, retryAfterSeconds: null }, at, random);
          expect(next).not.toBeNull();
          at = next ?? at;
        }
      }),
    );
  });

  it("the deadline is 24 hours by default, and later for a longer policy", () => {
    expect(deadlineOf(DEFAULT_DELAYS_SECONDS, NOW)).toBe(NOW + DAY_MS);
    expect(deadlineOf([0, 86_400], NOW)).toBe(NOW + 1.2 * DAY_MS);
  });
});
