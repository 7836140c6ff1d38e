import assert from "node:assert/strict";
import type { Random } from "@budgetkit/core";
import {
  type Admission,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
  type RateLimitStore,
  type Window,
} from "@budgetkit/core/store";
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
    it("the longest of several windows describes the admission", async (store) => {
      const admission = await store.consume(SUBJECT, windows, NOW);
      assert.deepEqual(admission, { used: 1, freesAt: NOW + HOUR_MS, refusal: null });
    });

    it("the refusal reports the short window when it alone is full, and charges neither", async (store) => {
      await store.consume(SUBJECT, windows, NOW);
      await store.consume(SUBJECT, windows, NOW + 1);
      const full = { window: 1, freesAt: NOW + MINUTE_MS };
      const refused = await store.consume(SUBJECT, windows, NOW + 2);
      assert.deepEqual(refused, { used: 2, freesAt: NOW + HOUR_MS, refusal: full });
      const next = await store.consume(SUBJECT, windows, NOW + MINUTE_MS);
      assert.deepEqual(next, { used: 3, freesAt: NOW + HOUR_MS, refusal: null });
      const { refusal } = await store.consume(SUBJECT, windows, NOW + MINUTE_MS);
      assert.deepEqual(refusal, { window: 1, freesAt: NOW + 1 + MINUTE_MS });
    });

    it("the refusal reports the long window when it alone is full", async (store) => {
      for (let n = 0; n < 5; n += 1) await store.consume(SUBJECT, windows, NOW + n * MINUTE_MS);
      const freesAt = NOW + HOUR_MS;
      const refused = await store.consume(SUBJECT, windows, NOW + 6 * MINUTE_MS);
      assert.deepEqual(refused, { used: 5, freesAt, refusal: { window: 0, freesAt } });
      const raised = [
        { lengthMs: HOUR_MS, limit: 9 },
        { lengthMs: MINUTE_MS, limit: 1 }, // it counts nothing so far
      ];
      const next = await store.consume(SUBJECT, raised, NOW + 6 * MINUTE_MS);
      assert.deepEqual(next, { used: 6, freesAt, refusal: null });
    });

    it("the refusal reports the long window when both are full and it frees last", async (store) => {
      const both = [
        { lengthMs: HOUR_MS, limit: 2 },
        { lengthMs: MINUTE_MS, limit: 2 },
      ];
      await store.consume(SUBJECT, both, NOW);
      await store.consume(SUBJECT, both, NOW);
      const { refusal } = await store.consume(SUBJECT, both, NOW + 1);
      assert.deepEqual(refusal, { window: 0, freesAt: NOW + HOUR_MS });
    });

    it("the refusal reports the short window when both are full and it frees last", async (store) => {
      const both = [
        { lengthMs: HOUR_MS, limit: 2 },
        { lengthMs: MINUTE_MS, limit: 1 },
      ];
      await store.consume(SUBJECT, both, NOW);
      await store.consume(SUBJECT, both, NOW + HOUR_MS - 10_000);
      assert.deepEqual(await store.consume(SUBJECT, both, NOW + HOUR_MS - 5_000), {
        used: 2,
        freesAt: NOW + HOUR_MS,
        refusal: { window: 1, freesAt: NOW + HOUR_MS + 50_000 },
      });
    });

    it("the refusal reports the longest of full windows that free at once", async (store) => {
      const both = [
        { lengthMs: HOUR_MS, limit: 2 },
        { lengthMs: MINUTE_MS, limit: 1 },
      ];
      const freesAt = NOW + HOUR_MS;
      await store.consume(SUBJECT, both, NOW);
      await store.consume(SUBJECT, both, freesAt - MINUTE_MS);
      const refused = await store.consume(SUBJECT, both, freesAt - 5_000);
      assert.deepEqual(refused, { used: 2, freesAt, refusal: { window: 0, freesAt } });
    });

    for (const seed of [1, 2, 3, 4]) {
      it(`several windows decide as a plain list of moments would, seed ${seed}`, async (store) => {
        const random = seededRandom(seed);
        const limited = drawWindows(random);
        await followsPlainList(store, random, () => limited);
      });
    }

    for (const seed of [5, 6]) {
      it(`windows decide like a plain list while limits change with every call, seed ${seed}`, async (store) => {
        const random = seededRandom(seed);
        await followsPlainList(store, random, () => drawWindows(random));
      });
    }
  });
}

function drawWindows(random: Random): readonly Window[] {
  return [
    { lengthMs: 1_000, limit: 8 + drawInteger(random, 5) },
    { lengthMs: 100, limit: 2 + drawInteger(random, 4) },
  ];
}

async function followsPlainList(
  store: RateLimitStore,
  random: Random,
  nextWindows: () => readonly Window[],
): Promise<void> {
  const admitted: Instant[] = [];
  let now = NOW;
  for (let step = 0; step < 200; step += 1) {
    now += drawInteger(random, 4) === 0 ? drawInteger(random, 300) : drawInteger(random, 20);
    const windows = nextWindows();
    assert.deepEqual(await store.consume(SUBJECT, windows, now), expectedAdmission(admitted, windows, now));
  }
}

/** Decides by looking at every unit ever admitted, and adds the unit when it is admitted. */
function expectedAdmission(admitted: Instant[], windows: readonly Window[], now: Instant): Admission {
  const full = windows
    .map((window, index) => ({ window: index, limit: window.limit, ...stateOf(admitted, window, now) }))
    .filter(({ used, limit }) => used >= limit)
    .sort((a, b) => b.freesAt - a.freesAt || a.window - b.window);
  const refusal = full.map(({ window, freesAt }) => ({ window, freesAt }))[0] ?? null;
  if (refusal === null) admitted.push(now);
  const [longest = { lengthMs: 0, limit: 0 }] = windows;
  return { ...stateOf(admitted, longest, now), refusal };
}

function stateOf(admitted: readonly Instant[], { lengthMs, limit }: Window, now: Instant) {
  const counted = admitted.filter((moment) => moment + lengthMs > now);
  const leaves = counted[Math.max(0, counted.length - limit)] ?? now;
  return { used: counted.length, freesAt: leaves + lengthMs };
}

function raceCases({ describe, it }: RateLimitCases): void {
  describe("callers that ask for admission at once", () => {
    for (const limit of [1, 10, 50]) {
      it(`admits exactly ${limit} of ${2 * limit + 10} concurrent calls when ${limit} is the limit`, async (store) => {
        const windows = [{ lengthMs: HOUR_MS, limit }];
        const admissions = await allAtOnce(2 * limit + 10, () => store.consume(SUBJECT, windows, NOW));
        const admitted = admissions.filter(({ refusal }) => refusal === null);
        assert.equal(admitted.length, limit);
        assert.deepEqual(
          admitted.map(({ used }) => used).sort((a, b) => a - b),
          Array.from({ length: limit }, (_, index) => index + 1),
        );
      });
    }

    it("holds concurrent calls to the tightest of several windows", async (store) => {
      const windows = [
        { lengthMs: HOUR_MS, limit: 30 },
        { lengthMs: MINUTE_MS, limit: 7 },
      ];
      const admissions = await allAtOnce(40, () => store.consume(SUBJECT, windows, NOW));
      assert.equal(admissions.filter(({ refusal }) => refusal === null).length, 7);
      const later = await allAtOnce(40, () => store.consume(SUBJECT, windows, NOW + MINUTE_MS));
      assert.equal(later.filter(({ refusal }) => refusal === null).length, 7);
      assert.equal(Math.max(...later.map(({ used }) => used)), 14);
    });

    it("concurrent calls of different subjects do not take each other's room", async (store) => {
      const admissions = await allAtOnce(30, (index) =>
        store.consume(`key:1:${index % 10}`, [{ lengthMs: 1_000, limit: 3 }], NOW),
      );
      assert.ok(admissions.every(({ refusal }) => refusal === null));
    });
  });
}
