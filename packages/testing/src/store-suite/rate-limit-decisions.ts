import assert from "node:assert/strict";
import { type Admission, HOUR_MS, type Instant, MINUTE_MS, type Window } from "@budgetkit/core/store";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import { drawInteger, seededRandom } from "../seeded-random.js";
import type { RateLimitCases } from "./rate-limit-cases.js";
import { allAtOnce } from "./suite.js";

const SUBJECT = "key:1:20";

export function rateLimitDecisionCases(suite: RateLimitCases): void {
  severalWindowCases(suite);
  raceCases(suite);
}

function severalWindowCases({ describe, it }: RateLimitCases): void {
  const windows = [
    { lengthMs: HOUR_MS, limit: 5 },
    { lengthMs: MINUTE_MS, limit: 2 },
  ];

  describe("several rate-limit windows", () => {
    it("are returned in the order asked", async (store) => {
      const { windows: states } = await store.consume(SUBJECT, windows, NOW);
      assert.deepEqual(states, [
        { used: 1, freesAt: NOW + HOUR_MS },
        { used: 1, freesAt: NOW + MINUTE_MS },
      ]);
    });

    it("name the short one when it alone is full, and charge neither", async (store) => {
      await store.consume(SUBJECT, windows, NOW);
      await store.consume(SUBJECT, windows, NOW + 1);
      const refusal = await store.consume(SUBJECT, windows, NOW + 2);
      assert.equal(refusal.refusedBy, 1);
      assert.deepEqual(
        refusal.windows.map(({ used }) => used),
        [2, 2],
      );
      const next = await store.consume(SUBJECT, windows, NOW + MINUTE_MS);
      assert.deepEqual(
        next.windows.map(({ used }) => used),
        [3, 2],
      );
    });

    it("name the long one when it alone is full", async (store) => {
      for (let n = 0; n < 5; n += 1) await store.consume(SUBJECT, windows, NOW + n * MINUTE_MS);
      const refusal = await store.consume(SUBJECT, windows, NOW + 6 * MINUTE_MS);
      assert.equal(refusal.refusedBy, 0);
      assert.deepEqual(refusal.windows, [
        { used: 5, freesAt: NOW + HOUR_MS },
        { used: 0, freesAt: NOW + 6 * MINUTE_MS },
      ]);
    });

    it("name the long one when both are full and it frees last", async (store) => {
      const both = [
        { lengthMs: HOUR_MS, limit: 2 },
        { lengthMs: MINUTE_MS, limit: 2 },
      ];
      await store.consume(SUBJECT, both, NOW);
      await store.consume(SUBJECT, both, NOW);
      assert.equal((await store.consume(SUBJECT, both, NOW + 1)).refusedBy, 0);
    });

    it("name the short one when both are full and it frees last", async (store) => {
      const both = [
        { lengthMs: HOUR_MS, limit: 2 },
        { lengthMs: MINUTE_MS, limit: 1 },
      ];
      await store.consume(SUBJECT, both, NOW);
      await store.consume(SUBJECT, both, NOW + HOUR_MS - 10_000);
      const refusal = await store.consume(SUBJECT, both, NOW + HOUR_MS - 5_000);
      assert.equal(refusal.refusedBy, 1);
      assert.deepEqual(
        refusal.windows.map(({ freesAt }) => freesAt),
        [NOW + HOUR_MS, NOW + HOUR_MS + 50_000],
      );
    });

    for (const seed of [1, 2, 3, 4]) {
      it(`decide as a plain list of moments would, over a random history, seed ${seed}`, async (store) => {
        const random = seededRandom(seed);
        const limited = [
          { lengthMs: 1_000, limit: 8 + drawInteger(random, 5) },
          { lengthMs: 100, limit: 2 + drawInteger(random, 4) },
        ];
        const admitted: Instant[] = [];
        let now = NOW;
        for (let step = 0; step < 200; step += 1) {
          now += drawInteger(random, 4) === 0 ? drawInteger(random, 300) : drawInteger(random, 20);
          assert.deepEqual(await store.consume(SUBJECT, limited, now), expectedAdmission(admitted, limited, now));
        }
      });
    }
  });
}

/** Decides by looking at every unit ever admitted, and adds the unit when it is admitted. */
function expectedAdmission(admitted: Instant[], windows: readonly Window[], now: Instant): Admission {
  const within = ({ lengthMs }: Window): Instant[] => admitted.filter((moment) => moment + lengthMs > now);
  const stateOf = (window: Window) => {
    const [oldest, ...others] = within(window);
    return oldest === undefined
      ? { used: 0, freesAt: now }
      : { used: 1 + others.length, freesAt: oldest + window.lengthMs };
  };
  const full = windows.filter((window) => stateOf(window).used >= window.limit);
  const [last] = full.sort((a, b) => stateOf(b).freesAt - stateOf(a).freesAt);
  if (last === undefined) admitted.push(now);
  return {
    admitted: last === undefined,
    refusedBy: last === undefined ? null : windows.indexOf(last),
    windows: windows.map(stateOf),
  };
}

function raceCases({ describe, it }: RateLimitCases): void {
  describe("callers that ask for admission at once", () => {
    for (const limit of [1, 10, 50]) {
      it(`are admitted exactly ${limit} of ${2 * limit + 10} times when ${limit} is the limit`, async (store) => {
        const windows = [{ lengthMs: HOUR_MS, limit }];
        const admissions = await allAtOnce(2 * limit + 10, () => store.consume(SUBJECT, windows, NOW));
        assert.equal(admissions.filter(({ admitted }) => admitted).length, limit);
        const used = admissions.filter(({ admitted }) => admitted).map(({ windows: [state] }) => state?.used ?? 0);
        assert.deepEqual(
          used.sort((a, b) => a - b),
          Array.from({ length: limit }, (_, index) => index + 1),
        );
      });
    }

    it("are held to the tightest of several windows", async (store) => {
      const windows = [
        { lengthMs: HOUR_MS, limit: 30 },
        { lengthMs: MINUTE_MS, limit: 7 },
      ];
      const admissions = await allAtOnce(40, () => store.consume(SUBJECT, windows, NOW));
      assert.equal(admissions.filter(({ admitted }) => admitted).length, 7);
      const later = await allAtOnce(40, () => store.consume(SUBJECT, windows, NOW + MINUTE_MS));
      assert.equal(later.filter(({ admitted }) => admitted).length, 7);
      assert.equal(Math.max(...later.map(({ windows: [hour] }) => hour?.used ?? 0)), 14);
    });

    it("do not take each other's room when their subjects differ", async (store) => {
      const admissions = await allAtOnce(30, (index) =>
        store.consume(`key:1:${index % 10}`, [{ lengthMs: 1_000, limit: 3 }], NOW),
      );
      assert.ok(admissions.every(({ admitted }) => admitted));
    });
  });
}
