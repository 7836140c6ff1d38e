import assert from "node:assert/strict";
import {
  type Admission,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
  type RateLimitStore,
  type Window,
} from "@budgetkit/core/store";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import type { RateLimitCases } from "./rate-limit-cases.js";

const SUBJECT = "key:1:20";
const SECOND_WINDOW: readonly Window[] = [{ lengthMs: 1_000, limit: 3 }];
const YEARS = 10 * 365 * 24 * HOUR_MS;

export function rateLimitCases(suite: RateLimitCases): void {
  windowCases(suite);
  clockCases(suite);
  pruneCases(suite);
}

function windowCases({ describe, it }: RateLimitCases): void {
  describe("one rate-limit window", () => {
    it("a window admits up to its limit, counts the new unit and reports when the oldest leaves", async (store) => {
      assert.deepEqual(
        await admitAt(store, [0, 10, 20]),
        [1, 2, 3].map((used) => ({ used, freesAt: NOW + 1_000, refusal: null })),
      );
    });

    it("a window refuses the unit above its limit and reports when there is room", async (store) => {
      await admitAt(store, [0, 10, 20]);
      const refusal = await store.consume(SUBJECT, SECOND_WINDOW, NOW + 30);
      assert.deepEqual(refusal, refusedUntil(NOW + 1_000, 3));
    });

    it("a window refuses up to the last millisecond before the oldest unit leaves", async (store) => {
      await admitAt(store, [0, 10, 20]);
      assert.notEqual((await store.consume(SUBJECT, SECOND_WINDOW, NOW + 999)).refusal, null);
    });

    it("a window admits at the very moment at which the oldest unit leaves", async (store) => {
      await admitAt(store, [0, 10, 20]);
      const admission = await store.consume(SUBJECT, SECOND_WINDOW, NOW + 1_000);
      assert.deepEqual(admission, { used: 3, freesAt: NOW + 1_010, refusal: null });
    });

    it("a window slides: it is no bucket that empties at once", async (store) => {
      await admitAt(store, [0, 900, 910]);
      assert.equal((await store.consume(SUBJECT, SECOND_WINDOW, NOW + 1_000)).refusal, null);
      assert.notEqual((await store.consume(SUBJECT, SECOND_WINDOW, NOW + 1_001)).refusal, null);
      assert.notEqual((await store.consume(SUBJECT, SECOND_WINDOW, NOW + 1_899)).refusal, null);
      assert.equal((await store.consume(SUBJECT, SECOND_WINDOW, NOW + 1_900)).refusal, null);
    });

    it("a window charges nothing for a refusal", async (store) => {
      await admitAt(store, [0, 0, 0]);
      for (let offset = 1; offset < 1_000; offset += 37) await store.consume(SUBJECT, SECOND_WINDOW, NOW + offset);
      const admission = await store.consume(SUBJECT, SECOND_WINDOW, NOW + 1_000);
      assert.deepEqual(admission, { used: 1, freesAt: NOW + 2_000, refusal: null });
    });

    it("a window starts from zero after a long rest", async (store) => {
      await admitAt(store, [0, 10, 20]);
      const admission = await store.consume(SUBJECT, SECOND_WINDOW, NOW + HOUR_MS);
      assert.deepEqual(admission, { used: 1, freesAt: NOW + HOUR_MS + 1_000, refusal: null });
    });

    it("a window counts each subject on its own", async (store) => {
      await admitAt(store, [0, 10, 20]);
      for (const subject of ["key:1:21", "key:2:20", "KEY:1:20", "key:1:2", ""]) {
        assert.equal((await store.consume(subject, SECOND_WINDOW, NOW + 20)).used, 1, subject);
      }
    });

    it("a window admits more when its limit is raised", async (store) => {
      await admitAt(store, [0, 10, 20]);
      const admission = await store.consume(SUBJECT, [{ lengthMs: 1_000, limit: 4 }], NOW + 30);
      assert.deepEqual(admission, { used: 4, freesAt: NOW + 1_000, refusal: null });
    });

    it("a window with a lowered limit admits none until enough have left, and reports when", async (store) => {
      await admitAt(store, [0, 10, 20]);
      const lowered = [{ lengthMs: 1_000, limit: 1 }];
      for (const [offset, used] of [
        [30, 3],
        [1_000, 2],
        [1_010, 1],
      ] as const) {
        const refusal = await store.consume(SUBJECT, lowered, NOW + offset);
        assert.deepEqual(refusal, refusedUntil(NOW + 1_020, used), `after ${offset} ms`);
      }
      const admission = await store.consume(SUBJECT, lowered, NOW + 1_020);
      assert.deepEqual(admission, { used: 1, freesAt: NOW + 2_020, refusal: null });
    });

    it("a window counts a thousand units exactly", async (store) => {
      const window = [{ lengthMs: HOUR_MS, limit: 1_000 }];
      for (let n = 0; n < 1_000; n += 1) await store.consume(SUBJECT, window, NOW + n);
      const refusal = await store.consume(SUBJECT, window, NOW + 1_000);
      assert.deepEqual(refusal, refusedUntil(NOW + HOUR_MS, 1_000));
      assert.equal((await store.consume(SUBJECT, window, NOW + HOUR_MS)).used, 1_000);
    });

    it("a window counts units of the same millisecond one by one", async (store) => {
      const admissions = await admitAt(store, [0, 0, 0, 0]);
      assert.deepEqual(
        admissions.map(({ refusal }) => refusal === null),
        [true, true, true, false],
      );
    });
  });
}

function clockCases({ describe, it }: RateLimitCases): void {
  describe("a clock that steps back", () => {
    it("a window admits no more than the limit when the clock steps back", async (store) => {
      await admitAt(store, [5_000, 5_000, 5_000]);
      for (const offset of [4_000, 4_500, 4_999, 5_999]) {
        assert.notEqual((await store.consume(SUBJECT, SECOND_WINDOW, NOW + offset)).refusal, null, `at ${offset}`);
      }
      assert.equal((await store.consume(SUBJECT, SECOND_WINDOW, NOW + 6_000)).refusal, null);
    });

    it("a window counts from the latest recorded moment when the clock steps back", async (store) => {
      await admitAt(store, [5_000, 4_000, 4_500]);
      assert.notEqual((await store.consume(SUBJECT, SECOND_WINDOW, NOW + 5_500)).refusal, null);
      const admission = await store.consume(SUBJECT, SECOND_WINDOW, NOW + 6_000);
      assert.deepEqual(admission, { used: 1, freesAt: NOW + 7_000, refusal: null });
    });

    it("a clock that steps back returns nothing that has left the window", async (store) => {
      await admitAt(store, [0, 0, 0, 1_000]);
      const admission = await store.consume(SUBJECT, SECOND_WINDOW, NOW + 500);
      assert.deepEqual(admission, { used: 2, freesAt: NOW + 2_000, refusal: null });
    });

    it("a window stays at the latest moment, however far the clock steps back", async (store) => {
      await admitAt(store, [5_000, 5_000, 5_000]);
      for (const back of [1, 1_000, 1_001, YEARS]) {
        const held = await store.consume(SUBJECT, SECOND_WINDOW, NOW + 5_000 - back);
        assert.deepEqual(held, refusedUntil(NOW + 6_000, 3));
      }
    });

    it("a clock that steps back only holds the subject that was recorded later", async (store) => {
      await admitAt(store, [5_000]);
      const other = await store.consume("key:1:21", SECOND_WINDOW, NOW);
      assert.deepEqual(other, { used: 1, freesAt: NOW + 1_000, refusal: null });
    });
  });
}

function pruneCases({ prunes, describe, it, itDurably }: RateLimitCases): void {
  const itPrunes: RateLimitCases["it"] = (name, body) => {
    if (prunes) it(name, body);
  };

  describe("pruning rate-limit windows", () => {
    itPrunes("prunes at most as many rate-limit subjects as requested and returns how many", async (store) => {
      for (const subject of ["a", "b", "c", "d", "e"]) await store.consume(subject, SECOND_WINDOW, NOW);
      const counts = [];
      for (let round = 0; round < 4; round += 1) counts.push(await store.pruneWindows(NOW + 1_001, 2));
      assert.deepEqual(counts, [2, 2, 1, 0]);
    });

    it("prunes no rate-limit subject that still counts something", async (store) => {
      await admitAt(store, [0, 10, 20]);
      assert.equal(await store.pruneWindows(NOW + 1_019, 10), 0);
      assert.notEqual((await store.consume(SUBJECT, SECOND_WINDOW, NOW + 999)).refusal, null);
    });

    itPrunes("prunes rate-limit subjects by their longest window", async (store) => {
      const windows = [
        { lengthMs: HOUR_MS, limit: 1 },
        { lengthMs: MINUTE_MS, limit: 1 },
      ];
      await store.consume(SUBJECT, windows, NOW);
      assert.equal(await store.pruneWindows(NOW + HOUR_MS - 1, 10), 0);
      assert.equal((await store.consume(SUBJECT, windows, NOW + HOUR_MS - 1)).refusal?.window, 0);
      assert.equal(await store.pruneWindows(NOW + HOUR_MS + 1, 10), 1);
    });

    it("pruning rate-limit windows changes no later decision", async (store) => {
      await admitAt(store, [0, 10, 20]);
      await store.pruneWindows(NOW + 2_000, 10);
      const admission = await store.consume(SUBJECT, SECOND_WINDOW, NOW + 2_000);
      assert.deepEqual(admission, { used: 1, freesAt: NOW + 3_000, refusal: null });
    });

    it("prunes nothing when there is nothing to forget", async (store) => {
      assert.equal(await store.pruneWindows(NOW, 10), 0);
    });
  });

  itDurably("rate-limit windows go on counting after the store was reopened", async (store, reopen) => {
    const windows = [{ lengthMs: HOUR_MS, limit: 2 }];
    for (const offset of [0, 10]) await store.consume(SUBJECT, windows, NOW + offset);
    const again = await reopen();
    assert.deepEqual(await again.consume(SUBJECT, windows, NOW + MINUTE_MS), refusedUntil(NOW + HOUR_MS, 2));
    assert.equal((await again.consume(SUBJECT, windows, NOW + HOUR_MS)).refusal, null);
  });
}

/** The refusal by a subject's only window, in which `used` units count. */
function refusedUntil(freesAt: Instant, used: number): Admission {
  return { used, freesAt, refusal: { window: 0, freesAt } };
}

async function admitAt(store: RateLimitStore, offsets: readonly number[]): Promise<Admission[]> {
  const admissions: Admission[] = [];
  for (const offset of offsets) admissions.push(await store.consume(SUBJECT, SECOND_WINDOW, NOW + offset));
  return admissions;
}
