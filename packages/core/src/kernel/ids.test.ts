import { describe, expect, it } from "vitest";
import { createIdSource, parseId } from "./ids.js";

function countingStore() {
  let next = 1;
  const blocks: number[] = [];
  return {
    blocks,
    reserveIds: async (count: number) => {
      blocks.push(count);
      const first = next;
      next += count;
      return first;
    },
  };
}

describe("identifiers", () => {
  it("come from one block until it is used up", async () => {
    const store = countingStore();
    const ids = createIdSource(store, 3);
    const drawn = [await ids.next(), await ids.next(), await ids.next(), await ids.next()];
    expect(drawn).toEqual(["1", "2", "3", "4"]);
    expect(store.blocks).toEqual([3, 3]);
  });

  it("never repeat for callers at the same time, who share one reservation", async () => {
    const store = countingStore();
    const ids = createIdSource(store, 100);
    const drawn = await Promise.all(Array.from({ length: 150 }, () => ids.next()));
    expect(new Set(drawn).size).toBe(150);
    expect(store.blocks.length).toBeLessThanOrEqual(2);
  });

  it("come in one ascending run when several are taken, even more than a block", async () => {
    const ids = createIdSource(countingStore(), 4);
    await ids.next();
    const run = (await ids.take(10)).map(Number);
    expect(run).toEqual(Array.from({ length: 10 }, (_, index) => (run[0] ?? 0) + index));
    expect(await ids.take(0)).toEqual([]);
  });

  it("can be had again after a reservation failed", async () => {
    const store = countingStore();
    let failures = 1;
    const ids = createIdSource({
      reserveIds: async (count) => {
        if (failures-- > 0) throw new Error("the store is away");
        return store.reserveIds(count);
      },
    });
    await expect(ids.next()).rejects.toThrow("the store is away");
    expect(await ids.next()).toBe("1");
  });

  it("are read only from the one way in which they are written", () => {
    expect(parseId("1042")).toBe(1042);
    expect(parseId("9007199254740991")).toBe(Number.MAX_SAFE_INTEGER);
    const wrong = ["", "0", "007", "-1", "1.5", "1e3", "abc", " 1", "9007199254740993", "10420000000000000"];
    expect(wrong.map(parseId)).toEqual(wrong.map(() => null));
  });

  it("come from the block at hand for a transaction of the host, else from that", async () => {
    const store = countingStore();
    const host = { reserveIds: async (count: number) => 1_000 * count };
    const ids = createIdSource(store, 4);
    const within = ids.within(host);
    expect(await within.next()).toBe("1000");
    expect(store.blocks).toEqual([]);
    expect(await ids.next()).toBe("1");
    expect([await within.next(), await within.take(2)]).toEqual(["2", ["3", "4"]]);
    expect(await within.take(2)).toEqual(["2000", "2001"]);
    expect(await ids.next()).toBe("5");
    expect(await within.take(4)).toEqual(["4000", "4001", "4002", "4003"]);
    expect(await ids.take(3)).toEqual(["6", "7", "8"]);
    expect(store.blocks).toEqual([4, 4]);
  });
});
