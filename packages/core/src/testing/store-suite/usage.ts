import assert from "node:assert/strict";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kernel/clock.js";
import type { Store } from "../../store.js";
import { USAGE_GRAINS, type UsageGrain, type UsageRow } from "../../usage/usage.js";
import type { UsageSlice } from "../../usage/usage-store.js";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import { aUsageRow } from "../usage-fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";

const NEVER = { minute: 0, hour: 0, day: 0, "hour-total": 0 };

export function usageCases(suite: Suite): void {
  addCases(suite);
  findCases(suite);
  pruneCases(suite);
}

function addCases({ describe, it, itDurably }: Suite): void {
  describe("usage that is added", () => {
    it("comes back as it is", async (store) => {
      await store.addUsage([aUsageRow()]);
      assert.deepEqual(await findAll(store), [aUsageRow()]);
    });

    it("is added up with what is there, count by count", async (store) => {
      await store.addUsage([aUsageRow()]);
      await store.addUsage([aUsageRow({ requests: 10, errors: 4, refusals: 2, durationUs: 1 })]);
      const sum = aUsageRow({ requests: 13, errors: 5, refusals: 2, durationUs: 4_501 });
      assert.deepEqual(await findAll(store), [sum]);
    });

    it("is added up within one call too", async (store) => {
      await store.addUsage([aUsageRow(), aUsageRow({ at: NOW + MINUTE_MS }), aUsageRow()]);
      assert.deepEqual(
        (await findAll(store)).map(({ at, requests }) => [at, requests]),
        [
          [NOW, 6],
          [NOW + MINUTE_MS, 3],
        ],
      );
    });

    const places: Readonly<Record<string, Partial<UsageRow>>> = {
      grain: { grain: "hour" },
      moment: { at: NOW + 1 },
      method: { method: "POST" },
      path: { path: "/other" },
    };
    for (const [name, place] of Object.entries(places)) {
      it(`is kept apart by its ${name}`, async (store) => {
        await store.addUsage([aUsageRow(), aUsageRow(place)]);
        assert.equal((await findAll(store)).length, 2);
      });
    }

    it("is kept apart by key and business, all keys of a business among them", async (store) => {
      const rows = [
        aUsageRow({ requests: 1 }),
        aUsageRow({ keyId: "21", requests: 2 }),
        aUsageRow({ keyId: null, requests: 4 }),
        aUsageRow({ businessId: "2", requests: 8 }),
      ];
      await store.addUsage(rows);
      assert.deepEqual(await findAll(store, "1", "20"), rows.slice(0, 1));
      assert.deepEqual(await findAll(store, "1", "21"), rows.slice(1, 2));
      assert.deepEqual(await findAll(store, "1", null), rows.slice(2, 3));
      assert.deepEqual(await findAll(store, "2", "20"), rows.slice(3));
    });

    it("loses nothing when many add at once", async (store) => {
      await allAtOnce(50, (index) => store.addUsage([aUsageRow({ requests: index }), aUsageRow({ path: "/other" })]));
      const [counted, other] = await findAll(store);
      assert.deepEqual([counted?.requests, other?.requests], [1_225, 150]);
    });

    it("may be nothing", async (store) => {
      await store.addUsage([]);
      assert.deepEqual(await findAll(store), []);
    });
  });

  itDurably("usage is there after the store was reopened, and goes on adding up", async (store, reopen) => {
    await store.addUsage([aUsageRow()]);
    const again = await reopen();
    await again.addUsage([aUsageRow()]);
    assert.equal((await findAll(again))[0]?.requests, 6);
  });
}

function findCases({ describe, it }: Suite): void {
  describe("usage that is read", () => {
    it("begins within the slice, whose end is excluded", async (store) => {
      await store.addUsage([0, 1, 2, 3].map((minute) => aUsageRow({ at: NOW + minute * MINUTE_MS })));
      const slice = { grain: "minute", from: NOW + MINUTE_MS, until: NOW + 3 * MINUTE_MS } as const;
      assert.deepEqual(momentsOf(await store.findUsage("1", "20", [slice])), [NOW + MINUTE_MS, NOW + 2 * MINUTE_MS]);
    });

    it("is of the slice's grain", async (store) => {
      await store.addUsage(USAGE_GRAINS.map((grain) => aUsageRow({ grain })));
      for (const grain of USAGE_GRAINS) {
        const rows = await store.findUsage("1", "20", [{ grain, from: NOW, until: NOW + 1 }]);
        assert.deepEqual(rows, [aUsageRow({ grain })]);
      }
    });

    it("is of several slices together", async (store) => {
      await store.addUsage([aUsageRow(), aUsageRow({ grain: "hour" }), aUsageRow({ grain: "day" })]);
      const slices: UsageSlice[] = [
        { grain: "minute", from: NOW, until: NOW + 1 },
        { grain: "hour", from: NOW - HOUR_MS, until: NOW + HOUR_MS },
      ];
      const rows = await store.findUsage("1", "20", slices);
      assert.deepEqual(rows.map(({ grain }) => grain).sort(), ["hour", "minute"]);
      assert.deepEqual(await store.findUsage("1", "20", []), []);
    });
  });
}

function pruneCases({ describe, it }: Suite): void {
  describe("pruning usage", () => {
    it("forgets what began before the moment, which is excluded", async (store) => {
      await store.addUsage([-2, -1, 0].map((minute) => aUsageRow({ at: NOW + minute * MINUTE_MS })));
      assert.equal(await store.pruneUsage({ ...NEVER, minute: NOW }, 10), 2);
      assert.deepEqual(momentsOf(await findAll(store)), [NOW]);
      assert.equal(await store.pruneUsage({ ...NEVER, minute: NOW }, 10), 0);
    });

    it("goes by each grain's own moment", async (store) => {
      await store.addUsage(USAGE_GRAINS.map((grain) => aUsageRow({ grain })));
      for (const grain of USAGE_GRAINS) {
        assert.equal(await store.pruneUsage({ ...NEVER, [grain]: NOW + 1 }, 10), 1);
        assert.ok((await findAll(store)).every((row) => row.grain !== grain));
      }
    });

    it("forgets no more than the limit of each grain", async (store) => {
      const moments = [0, 1, 2, 3, 4].map((minute) => NOW + minute * MINUTE_MS);
      await store.addUsage(moments.flatMap((at) => [aUsageRow({ at }), aUsageRow({ at, grain: "hour" })]));
      const before = { ...NEVER, minute: NOW + HOUR_MS, hour: NOW + HOUR_MS };
      const counts = [];
      for (let round = 0; round < 4; round += 1) counts.push(await store.pruneUsage(before, 2));
      assert.deepEqual(counts, [4, 4, 2, 0]);
    });

    it("looks across businesses", async (store) => {
      await store.addUsage([aUsageRow(), aUsageRow({ businessId: "2" }), aUsageRow({ keyId: null })]);
      assert.equal(await store.pruneUsage({ ...NEVER, minute: NOW + 1 }, 10), 3);
    });
  });
}

/** All rows of the key within a day of the fixtures, by grain and moment. */
async function findAll(store: Store, businessId = "1", keyId: string | null = "20"): Promise<UsageRow[]> {
  const slices = USAGE_GRAINS.map((grain: UsageGrain) => ({ grain, from: NOW - DAY_MS, until: NOW + DAY_MS }));
  const rows = [...(await store.findUsage(businessId, keyId, slices))];
  return rows.sort((a, b) => a.at - b.at || (a.path < b.path ? -1 : 1));
}

function momentsOf(rows: readonly UsageRow[]): number[] {
  return rows.map(({ at }) => at).sort((a, b) => a - b);
}
