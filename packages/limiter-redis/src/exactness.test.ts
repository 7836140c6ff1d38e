import { randomUUID } from "node:crypto";
import type { Admission, Instant, Window } from "@budgetkit/core/store";
import { rounds } from "@budgetkit/testing";
import fc from "fast-check";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { redisLimiter } from "./index.js";
import { anyRedis, noRedis } from "./testing/redis-server.js";

const LONG_MS = 1_000;
const SHORT_MS = 100;
const START = Date.UTC(2026, 2, 2);

/** Bursts, pauses, windows that pass, and a clock that steps back by less than the longest window or by more. */
const step = fc.oneof(
  { weight: 30, arbitrary: fc.integer({ min: 0, max: 8 }) },
  { weight: 4, arbitrary: fc.integer({ min: 50, max: 400 }) },
  { weight: 1, arbitrary: fc.integer({ min: 900, max: 3_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: -LONG_MS, max: -1 }) },
  { weight: 1, arbitrary: fc.integer({ min: -4_000, max: -LONG_MS - 1 }) },
);
const limits = fc.record({ long: fc.integer({ min: 1, max: 60 }), short: fc.integer({ min: 1, max: 20 }) });
const request = fc.record({ step, changed: fc.option(limits, { freq: 40 }) });
const requests = fc.array(request, { minLength: 50, maxLength: 400, size: "max" });

describe.skipIf(noRedis !== null)("decisions on Redis", () => {
  let server: Awaited<ReturnType<typeof anyRedis>>;
  let client: Redis;
  beforeAll(async () => {
    server = await anyRedis();
    client = new Redis(server.address);
  });
  afterAll(async () => {
    client.disconnect();
    await server.remove();
  });

  it("Redis decides like a plain list of all admissions, counted at each request", async () => {
    const limiter = redisLimiter(client, { keyPrefix: `${randomUUID()}:`, timeoutMs: 30_000, clock: "caller" });
    await limiter.countConsumed("any", LONG_MS, START);
    let subjects = 0;
    await fc.assert(
      fc.asyncProperty(limits, requests, async (initially, asked) => {
        subjects += 1;
        const subject = `subject ${subjects}`;
        const ledger = new Ledger();
        const expected: Admission[] = [];
        const decisions: Promise<Admission>[] = [];
        let allowed = initially;
        let now = START;
        for (const { step, changed } of asked) {
          allowed = changed ?? allowed;
          now += step;
          const windows = windowsOf(allowed);
          expected.push(ledger.admit(windows, now));
          decisions.push(limiter.consume(subject, windows, now));
        }
        expect(await Promise.all(decisions)).toEqual(expected);
      }),
      { numRuns: rounds({ small: 30, full: 150 }), seed: 7 },
    );
  });

  it("Redis admits at most the limit in any half-open stretch as long as a window", async () => {
    const limiter = redisLimiter(client, { keyPrefix: `${randomUUID()}:`, timeoutMs: 30_000, clock: "caller" });
    let subjects = 0;
    const forward = fc.array(fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: -LONG_MS, max: 300 })), {
      minLength: 50,
      maxLength: 600,
      size: "max",
    });
    await fc.assert(
      fc.asyncProperty(limits, forward, async (allowed, steps) => {
        subjects += 1;
        const subject = `subject ${subjects}`;
        const windows = windowsOf(allowed);
        let now = START;
        let latest = Number.NEGATIVE_INFINITY;
        const asked = steps.map(async (step) => {
          now += step;
          latest = Math.max(latest, now);
          const moment = latest;
          return { moment, ...(await limiter.consume(subject, windows, now)) };
        });
        const admitted = (await Promise.all(asked)).filter(({ refusal }) => refusal === null);
        for (const { lengthMs, limit } of windows) {
          for (const { moment: from } of admitted) {
            const within = admitted.filter(({ moment }) => moment >= from && moment < from + lengthMs);
            expect(within.length).toBeLessThanOrEqual(limit);
          }
        }
      }),
      { numRuns: rounds({ small: 20, full: 100 }), seed: 11 },
    );
  });
});

function windowsOf({ long, short }: { long: number; short: number }): Window[] {
  return [
    { lengthMs: LONG_MS, limit: long },
    { lengthMs: SHORT_MS, limit: short },
  ];
}

/** The port's definition, word for word. */
class Ledger {
  #admitted: Instant[] = [];
  #latest = Number.NEGATIVE_INFINITY;

  admit(windows: readonly Window[], now: Instant): Admission {
    const moment = Math.max(now, this.#latest);
    this.#latest = moment;
    let refusal: Admission["refusal"] = null;
    for (const [index, window] of windows.entries()) {
      const { used, freesAt } = this.#stateOf(window, moment);
      if (used < window.limit || freesAt <= (refusal?.freesAt ?? Number.NEGATIVE_INFINITY)) continue;
      refusal = { window: index, freesAt };
    }
    if (refusal === null) this.#admitted.push(moment);
    const [longest = { lengthMs: LONG_MS, limit: 1 }] = windows;
    return { ...this.#stateOf(longest, moment), refusal };
  }

  #stateOf({ lengthMs, limit }: Window, moment: Instant) {
    const counted = this.#admitted.filter((at) => at > moment - lengthMs);
    const leaving = counted[Math.max(0, counted.length - limit)];
    return { used: counted.length, freesAt: leaving === undefined ? moment : leaving + lengthMs };
  }
}
