import { describe, expect, it } from "vitest";
import { createIdSource, ID_RANGE_SIZE, idRange, LAST_ID_RANGE, parseId, withOtherIds } from "./ids.js";
import { IdTaken } from "./problem.js";

/** Business 1 draws from 1 on, business 2 from 1,000,001 on. */
function countingStore() {
  const drawn = new Map<string, number>();
  const blocks: number[] = [];
  return {
    blocks,
    reserveIds: async (businessId: string, count: number) => {
      blocks.push(count);
      const first = drawn.get(businessId) ?? (Number(businessId) - 1) * 1_000_000 + 1;
      drawn.set(businessId, first + count);
      return first;
    },
  };
}

/** Blocks of one size. */
const inBlocksOf = (size: number) => ({ first: size, largest: size, businesses: 10 });

describe("identifiers", () => {
  it("draws ids from one block until it is used up", async () => {
    const store = countingStore();
    const ids = createIdSource(store, inBlocksOf(3));
    const drawn = [await ids.next("1"), await ids.next("1"), await ids.next("1"), await ids.next("1")];
    expect(drawn).toEqual(["1", "2", "3", "4"]);
    expect(store.blocks).toEqual([3, 3]);
  });

  it("ids of one business do not depend on what another business draws", async () => {
    const ids = createIdSource(countingStore(), inBlocksOf(3));
    const drawn: string[] = [];
    for (let times = 0; times < 4; times += 1) {
      drawn.push(await ids.next("1"));
      await ids.take("2", 5);
    }
    expect(drawn).toEqual(["1", "2", "3", "4"]);
    expect(await ids.next("2")).toBe("1000021");
  });

  it("reserves ids in blocks that double up to the largest size", async () => {
    const store = countingStore();
    const ids = createIdSource(store, { first: 2, largest: 7, businesses: 10 });
    for (let times = 0; times < 20; times += 1) await ids.next("1");
    expect(store.blocks).toEqual([2, 4, 7, 7]);
  });

  it("keeps the id blocks of a bounded number of businesses, those used last", async () => {
    const store = countingStore();
    const ids = createIdSource(store, { first: 5, largest: 5, businesses: 2 });
    expect([await ids.next("1"), await ids.next("2"), await ids.next("1")]).toEqual(["1", "1000001", "2"]);
    expect([await ids.next("3"), await ids.next("1"), await ids.next("2")]).toEqual(["2000001", "3", "1000006"]);
    expect(store.blocks).toHaveLength(4);
  });

  it("repeats no id for concurrent callers, who share one reservation", async () => {
    const store = countingStore();
    const ids = createIdSource(store, inBlocksOf(100));
    const drawn = await Promise.all(Array.from({ length: 150 }, () => ids.next("1")));
    expect(new Set(drawn).size).toBe(150);
    expect(store.blocks.length).toBeLessThanOrEqual(2);
  });

  it("ids that are taken together ascend, even across blocks", async () => {
    const ids = createIdSource(countingStore(), inBlocksOf(4));
    await ids.next("1");
    const run = (await ids.take("1", 10)).map(Number);
    expect(run).toEqual(Array.from({ length: 10 }, (_, index) => (run[0] ?? 0) + index));
    expect(await ids.take("1", 0)).toEqual([]);
  });

  it("draws ids again after a failed reservation", async () => {
    const store = countingStore();
    let failures = 1;
    const ids = createIdSource({
      reserveIds: async (businessId, count) => {
        if (failures-- > 0) throw new Error("the store is away");
        return store.reserveIds(businessId, count);
      },
    });
    await expect(ids.next("1")).rejects.toThrow("the store is away");
    expect(await ids.next("1")).toBe("1");
  });

  it("continues above all reserved ids after the blocks are dropped, even if the store lost the reservation", async () => {
    let stored = 1;
    const store = {
      reserveIds: async (_businessId: string, count: number, above = 0) => {
        const first = Math.max(stored, above + 1);
        stored = first + count;
        return first;
      },
    };
    const ids = createIdSource(store, inBlocksOf(100));
    expect(await ids.next("1")).toBe("1");
    stored = 1;
    expect(await ids.next("1")).toBe("2");
    ids.dropBlocks();
    expect([await ids.next("1"), await ids.next("1")]).toEqual(["101", "102"]);
    expect(await ids.within(store).next("1")).toBe("103");
  });

  it("draws ids again at most twice when one is taken, and repeats no other failure", async () => {
    const outcomes = (...errors: readonly Error[]) => {
      let runs = 0;
      let drops = 0;
      const run = async () => {
        const error = errors[runs];
        runs += 1;
        if (error !== undefined) throw error;
        return "made";
      };
      const result = withOtherIds(() => (drops += 1), run).catch((error: Error) => error.message);
      return result.then((made) => [made, runs, drops]);
    };
    const taken = new IdTaken("the id is taken");
    expect(await outcomes(taken)).toEqual(["made", 2, 1]);
    expect(await outcomes(taken, taken)).toEqual(["made", 3, 2]);
    expect(await outcomes(taken, taken, taken)).toEqual(["the id is taken", 3, 2]);
    expect(await outcomes(new Error("other"))).toEqual(["other", 1, 0]);
  });

  it("parseId reads an id only in the exact form in which it is written", () => {
    expect(parseId("1042")).toBe(1042);
    expect(parseId("9007199254740991")).toBe(Number.MAX_SAFE_INTEGER);
    const wrong = ["", "0", "007", "-1", "1.5", "1e3", "abc", " 1", "9007199254740993", "10420000000000000"];
    expect(wrong.map(parseId)).toEqual(wrong.map(() => null));
  });

  it("draws ids from the current block in a transaction of the host, else from the transaction's store", async () => {
    const store = countingStore();
    const host = { reserveIds: async (_businessId: string, count: number) => 1_000 * count };
    const ids = createIdSource(store, inBlocksOf(4));
    const within = ids.within(host);
    expect(await within.next("1")).toBe("1000");
    expect(store.blocks).toEqual([]);
    expect(await ids.next("1")).toBe("1");
    expect([await within.next("1"), await within.take("1", 2)]).toEqual(["2", ["3", "4"]]);
    expect(await within.take("1", 2)).toEqual(["2000", "2001"]);
    expect(await ids.next("1")).toBe("5");
    expect(await within.take("1", 4)).toEqual(["4000", "4001", "4002", "4003"]);
    expect(await ids.take("1", 3)).toEqual(["6", "7", "8"]);
    expect(store.blocks).toEqual([4, 4]);
  });

  it("id ranges do not overlap and end below 2^53", () => {
    expect(idRange(1)).toEqual({ first: ID_RANGE_SIZE + 1, end: 2 * ID_RANGE_SIZE });
    expect(idRange(2).first).toBeGreaterThan(idRange(1).end);
    expect(idRange(LAST_ID_RANGE).end).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
    expect(idRange(LAST_ID_RANGE).end + ID_RANGE_SIZE).toBeGreaterThan(Number.MAX_SAFE_INTEGER);
    expect(() => idRange(LAST_ID_RANGE + 1)).toThrow("no range of ids is left");
  });
});
