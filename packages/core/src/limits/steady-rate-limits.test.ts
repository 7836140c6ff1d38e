import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOUR_MS, type Instant, MINUTE_MS } from "../kernel/clock.js";
import { createMemoryRateLimitStore } from "./memory-rate-limit-store.js";
import { steadyRateLimits } from "./steady-rate-limits.js";

const START = Date.UTC(2026, 2, 2);
const YEAR_MS = 365 * 24 * HOUR_MS;

/** Time that passes, and by how much the clock is set meanwhile. */
const moves = fc.array(
  fc.record({
    passMs: fc.oneof(fc.nat(MINUTE_MS), fc.nat(20 * MINUTE_MS)),
    setByMs: fc.oneof(
      { weight: 5, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: -3 * HOUR_MS, max: 3 * HOUR_MS }) },
      { weight: 1, arbitrary: fc.integer({ min: -YEAR_MS, max: YEAR_MS }) },
    ),
  }),
  { minLength: 20, maxLength: 200, size: "max" },
);

describe("the limiter under a clock that is set", () => {
  it("admits exactly when the elapsed hour holds fewer than the limit, also when the clock is set", async () => {
    await fc.assert(
      fc.asyncProperty(moves, fc.integer({ min: 1, max: 8 }), async (steps, limit) => {
        let [passed, set] = [0, 0];
        const clock = { now: () => START + passed + set, monotonicMs: () => passed + 0.25 };
        const limits = steadyRateLimits(createMemoryRateLimitStore(), clock);
        const admitted: Instant[] = [];
        for (const { passMs, setByMs } of steps) {
          passed += passMs;
          set += setByMs;
          const counted = admitted.filter((at) => at > passed - HOUR_MS);
          const { now } = clock;
          expect(await limits.countConsumed("key", HOUR_MS, now())).toBe(counted.length);
          const admission = await limits.consume("key", [{ lengthMs: HOUR_MS, limit }], now());
          const freesAt = now() + (counted[0] ?? passed) + HOUR_MS - passed;
          expect(admission).toEqual(
            counted.length < limit
              ? { used: counted.length + 1, freesAt, refusal: null }
              : { used: counted.length, freesAt, refusal: { window: 0, freesAt } },
          );
          if (admission.refusal === null) admitted.push(passed);
        }
      }),
      { numRuns: 200, seed: 5 },
    );
  });

  it("forgets a subject an hour after its last admission, also when the clock is set", async () => {
    let [passed, set] = [0, 0];
    const clock = { now: () => START + passed + set, monotonicMs: () => passed };
    const limits = steadyRateLimits(createMemoryRateLimitStore(), clock);
    await limits.consume("key", [{ lengthMs: HOUR_MS, limit: 1 }], clock.now());
    set = YEAR_MS;
    expect(await limits.pruneWindows(clock.now(), 10)).toBe(0);
    set = -YEAR_MS;
    passed = HOUR_MS;
    expect(await limits.pruneWindows(clock.now(), 10)).toBe(1);
  });
});
