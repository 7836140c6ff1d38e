import assert from "node:assert/strict";
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  type Store,
  USAGE_GRAINS,
  type UsageSlice,
  type UsageSums,
} from "@budgetkit/core/store";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import { aUsageRow } from "../usage-fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";

const NEVER = { minute: 0, hour: 0, day: 0, "hour-total": 0 };

export function usageCases(suite: Suite): void {
  addCases(suite);
  sumCases(suite);
  pruneCases(suite);
}

function addCases({ describe, it, itDurably }: Suite): void {
  describe("usage that is added", () => {
    it("added usage comes back as it is, by moment and by route", async (store) => {
      await store.addUsage([aUsageRow()]);
      const { businessId: _business, keyId: _key, method, path, ...moment } = aUsageRow();
      assert.deepEqual(await sumsOf(store), {
        moments: [moment],
        routes: [{ method, path, requests: moment.requests }],
      });
    });

    it("adds usage to what is there, count by count", async (store) => {
      await store.addUsage([aUsageRow()]);
      await store.addUsage([aUsageRow({ requests: 10, errors: 4, refusals: 2, durationUs: 1 })]);
      const { moments } = await sumsOf(store);
      const sum = { requests: 13, errors: 5, refusals: 2, durationUs: 4_501 };
      assert.deepEqual(moments, [{ grain: "minute", at: NOW, ...sum }]);
    });

    it("adds up usage within one call too", async (store) => {
      await store.addUsage([aUsageRow(), aUsageRow({ at: NOW + MINUTE_MS }), aUsageRow()]);
      assert.deepEqual(await requestsByMoment(store), [
        [NOW, 6],
        [NOW + MINUTE_MS, 3],
      ]);
    });

    it("keeps usage apart by grain and moment", async (store) => {
      await store.addUsage([aUsageRow(), aUsageRow({ grain: "hour" }), aUsageRow({ at: NOW + 1 })]);
      assert.equal((await sumsOf(store)).moments.length, 3);
    });

    it("keeps usage apart by method and path, and adds it up over both", async (store) => {
      await store.addUsage([aUsageRow(), aUsageRow({ method: "PUT" }), aUsageRow({ path: "/other" })]);
      const { moments, routes } = await sumsOf(store);
      assert.equal(routes.length, 3);
      assert.deepEqual(totalOf(moments), 9);
    });

    it("keeps usage apart by key and business, and sums all keys of a business", async (store) => {
      await store.addUsage([
        aUsageRow({ requests: 1 }),
        aUsageRow({ keyId: "21", requests: 2 }),
        aUsageRow({ keyId: null, requests: 4 }),
        aUsageRow({ businessId: "2", requests: 8 }),
      ]);
      const totals = [];
      for (const [businessId, keyId] of [
        ["1", "20"],
        ["1", "21"],
        ["1", null],
        ["2", "20"],
        ["2", null],
      ] as const) {
        totals.push(totalOf((await sumsOf(store, businessId, keyId)).moments));
      }
      assert.deepEqual(totals, [1, 2, 4, 8, 0]);
    });

    it("loses no usage when many add at once", async (store) => {
      await allAtOnce(50, (index) => store.addUsage([aUsageRow({ requests: index }), aUsageRow({ at: NOW + 1 })]));
      assert.deepEqual(await requestsByMoment(store), [
        [NOW, 1_225],
        [NOW + 1, 150],
      ]);
    });

    it("accepts no usage at all", async (store) => {
      await store.addUsage([]);
      assert.deepEqual(await sumsOf(store), { moments: [], routes: [] });
    });
  });

  itDurably("usage is there after the store was reopened, and continues to add up", async (store, reopen) => {
    await store.addUsage([aUsageRow()]);
    const again = await reopen();
    await again.addUsage([aUsageRow()]);
    assert.deepEqual(await requestsByMoment(again), [[NOW, 6]]);
  });
}

function sumCases({ describe, it }: Suite): void {
  describe("usage that is summed", () => {
    it("sums usage from the beginning of a slice, without its end", async (store) => {
      await store.addUsage([0, 1, 2, 3].map((minute) => aUsageRow({ at: NOW + minute * MINUTE_MS })));
      const slice = { grain: "minute", from: NOW + MINUTE_MS, until: NOW + 3 * MINUTE_MS } as const;
      const { moments, routes } = await store.sumUsage("1", "20", [slice]);
      assert.deepEqual(moments.map(({ at }) => at).sort(), [NOW + MINUTE_MS, NOW + 2 * MINUTE_MS]);
      assert.equal(totalOf(routes), 6);
    });

    it("sums usage of the slice's grain", async (store) => {
      await store.addUsage(USAGE_GRAINS.map((grain, index) => aUsageRow({ grain, requests: 1 + index })));
      for (const [index, grain] of USAGE_GRAINS.entries()) {
        const { moments } = await store.sumUsage("1", "20", [{ grain, from: NOW, until: NOW + 1 }]);
        assert.deepEqual(
          moments.map(({ grain, requests }) => [grain, requests]),
          [[grain, 1 + index]],
        );
      }
    });

    it("sums usage of several slices, moments by slice and routes over all", async (store) => {
      await store.addUsage([aUsageRow(), aUsageRow({ grain: "hour", requests: 10 }), aUsageRow({ grain: "day" })]);
      const slices: UsageSlice[] = [
        { grain: "minute", from: NOW, until: NOW + 1 },
        { grain: "hour", from: NOW - HOUR_MS, until: NOW + HOUR_MS },
      ];
      const { moments, routes } = await store.sumUsage("1", "20", slices);
      assert.deepEqual(moments.map(({ grain }) => grain).sort(), ["hour", "minute"]);
      assert.equal(totalOf(routes), 13);
      assert.deepEqual(await store.sumUsage("1", "20", []), { moments: [], routes: [] });
    });

    it("usage of all routes together belongs to no route", async (store) => {
      await store.addUsage([aUsageRow({ grain: "hour-total", method: "", path: "" })]);
      const { moments, routes } = await sumsOf(store);
      assert.deepEqual([totalOf(moments), routes], [3, []]);
    });
  });
}

function pruneCases({ describe, it }: Suite): void {
  describe("pruning usage", () => {
    it("prunes usage that began before the moment, which is excluded", async (store) => {
      await store.addUsage([-2, -1, 0].map((minute) => aUsageRow({ at: NOW + minute * MINUTE_MS })));
      assert.equal(await store.pruneUsage({ ...NEVER, minute: NOW }, 10), 2);
      assert.deepEqual(await requestsByMoment(store), [[NOW, 3]]);
      assert.equal(await store.pruneUsage({ ...NEVER, minute: NOW }, 10), 0);
    });

    it("prunes usage by the moment of each grain", async (store) => {
      await store.addUsage(USAGE_GRAINS.map((grain) => aUsageRow({ grain })));
      for (const grain of USAGE_GRAINS) {
        assert.equal(await store.pruneUsage({ ...NEVER, [grain]: NOW + 1 }, 10), 1);
        assert.ok((await sumsOf(store)).moments.every((moment) => moment.grain !== grain));
      }
    });

    it("prunes at most the limit of each grain of usage", async (store) => {
      const moments = [0, 1, 2, 3, 4].map((minute) => NOW + minute * MINUTE_MS);
      await store.addUsage(moments.flatMap((at) => [aUsageRow({ at }), aUsageRow({ at, grain: "hour" })]));
      const before = { ...NEVER, minute: NOW + HOUR_MS, hour: NOW + HOUR_MS };
      const counts = [];
      for (let round = 0; round < 4; round += 1) counts.push(await store.pruneUsage(before, 2));
      assert.deepEqual(counts, [4, 4, 2, 0]);
    });

    it("prunes usage across businesses", async (store) => {
      await store.addUsage([aUsageRow(), aUsageRow({ businessId: "2" }), aUsageRow({ keyId: null })]);
      assert.equal(await store.pruneUsage({ ...NEVER, minute: NOW + 1 }, 10), 3);
    });
  });
}

/** All usage of the key within a day of the fixtures, grain by grain. */
function sumsOf(store: Store, businessId = "1", keyId: string | null = "20"): Promise<UsageSums> {
  const slices = USAGE_GRAINS.map((grain) => ({ grain, from: NOW - DAY_MS, until: NOW + DAY_MS }));
  return store.sumUsage(businessId, keyId, slices);
}

async function requestsByMoment(store: Store): Promise<[at: number, requests: number][]> {
  const { moments } = await sumsOf(store);
  return moments.map(({ at, requests }): [number, number] => [at, requests]).sort(([a], [b]) => a - b);
}

function totalOf(sums: readonly { readonly requests: number }[]): number {
  return sums.reduce((total, { requests }) => total + requests, 0);
}
