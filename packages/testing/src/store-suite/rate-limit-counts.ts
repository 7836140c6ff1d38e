import assert from "node:assert/strict";
import { HOUR_MS, MINUTE_MS, type RateLimitStore } from "@budgetkit/core/store";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import { drawInteger, seededRandom } from "../seeded-random.js";
import type { RateLimitCases } from "./rate-limit-cases.js";

const SUBJECT = "key:1:20";
const WINDOWS = [
  { lengthMs: 1_000, limit: 3 },
  { lengthMs: 100, limit: 2 },
];

export function rateLimitCountCases({ describe, it, itDurably }: RateLimitCases): void {
  describe("what a rate-limit window counts", () => {
    it("a rate-limit window counts nothing for an unknown subject, and counting creates none", async (store) => {
      assert.equal(await countAt(store, 0), 0);
      assert.equal(await store.pruneWindows(NOW + HOUR_MS, 10), 0);
    });

    it("a rate-limit window counts what was admitted within it, half open", async (store) => {
      await admitAt(store, [0, 10, 200]);
      const counts = [];
      for (const offset of [200, 999, 1_000, 1_010, 1_199, 1_200]) counts.push(await countAt(store, offset));
      assert.deepEqual(counts, [3, 3, 2, 1, 1, 0]);
    });

    it("a rate-limit window counts no refused request", async (store) => {
      await admitAt(store, [0, 0, 0, 150, 160, 170]);
      assert.equal(await countAt(store, 170), 3);
    });

    it("counting a rate-limit window changes no later decision", async (store) => {
      await admitAt(store, [0, 10]);
      for (const offset of [10, 5_000, 10]) await countAt(store, offset);
      const admission = await store.consume(SUBJECT, WINDOWS, NOW + 200);
      assert.deepEqual(admission, { used: 3, freesAt: NOW + 1_000, refusal: null });
      const raised = WINDOWS.map(({ lengthMs }) => ({ lengthMs, limit: lengthMs === 100 ? 2 : 9 }));
      assert.equal((await store.consume(SUBJECT, raised, NOW + 201)).refusal, null);
      const { refusal } = await store.consume(SUBJECT, raised, NOW + 202);
      assert.deepEqual(refusal, { window: 1, freesAt: NOW + 300 });
    });

    it("a rate-limit window counts for each subject", async (store) => {
      await admitAt(store, [0]);
      assert.equal(await store.countConsumed("key:2:20", 1_000, NOW), 0);
    });

    it("a rate-limit window counts at the latest moment, however far the clock steps back", async (store) => {
      await admitAt(store, [0, 2_000]);
      for (const offset of [1_000, 999, -HOUR_MS]) assert.equal(await countAt(store, offset), 1);
    });

    it("the count of a rate-limit window equals what the last decision returned, after any history", async (store) => {
      const random = seededRandom(11);
      let now = NOW;
      for (let step = 0; step < 300; step += 1) {
        now += drawInteger(random, 10) === 0 ? drawInteger(random, 900) - 400 : drawInteger(random, 80);
        const { used } = await store.consume(SUBJECT, WINDOWS, now);
        assert.equal(await store.countConsumed(SUBJECT, 1_000, now), used, `step ${step}`);
      }
    });
  });

  itDurably("rate-limit windows count the same after the store was reopened", async (store, reopen) => {
    for (const offset of [0, 10]) await store.consume(SUBJECT, [{ lengthMs: HOUR_MS, limit: 3 }], NOW + offset);
    assert.equal(await (await reopen()).countConsumed(SUBJECT, HOUR_MS, NOW + MINUTE_MS), 2);
  });
}

async function admitAt(store: RateLimitStore, offsets: readonly number[]): Promise<void> {
  for (const offset of offsets) await store.consume(SUBJECT, WINDOWS, NOW + offset);
}

function countAt(store: RateLimitStore, offset: number): Promise<number> {
  return store.countConsumed(SUBJECT, 1_000, NOW + offset);
}
