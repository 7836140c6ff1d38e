import { describe, expect, it } from "vitest";
import { ValuesOfBusinesses } from "./values-of-businesses.js";

describe("the values of businesses", () => {
  it("caches values within one bound for all businesses together", () => {
    const values = new ValuesOfBusinesses<number>(10);
    for (let key = 0; key < 1_000; key += 1) {
      const [business, id] = [String(key % 7), String(key % 70)];
      expect(values.getOrFind(business, id, () => key)).toBeLessThanOrEqual(key);
      expect(values.getOrFind(business, id, () => -1)).not.toBe(-1);
    }
    const isKept = (key: number) => values.getOrFind(String(key % 7), String(key % 70), () => null) !== null;
    expect(Array.from({ length: 70 }, (_, key) => key).filter(isKept).length).toBeLessThanOrEqual(10);
  });

  it("deleting cached values makes room for others", () => {
    const values = new ValuesOfBusinesses<number>(10);
    for (let key = 0; key < 8; key += 1) values.set("1", String(key), key);
    for (let times = 0; times < 100; times += 1) {
      values.set("1", "9", times);
      values.set("1", "9", times + 1);
      values.set("2", "again", times);
      values.delete("2", "again");
      values.delete("1", "9");
      values.delete("1", "9");
    }
    const left = Array.from({ length: 10 }, (_, key) => values.get("1", String(key)));
    expect(left).toEqual([0, 1, 2, 3, 4, 5, 6, 7, undefined, undefined]);
  });

  it("keeps the cached values of businesses apart", () => {
    const values = new ValuesOfBusinesses<string>(10);
    for (const business of ["1", "2"]) values.getOrFind(business, "20", () => `of ${business}`);
    expect(["1", "2", "3"].map((business) => values.getOrFind(business, "20", () => null))).toEqual([
      "of 1",
      "of 2",
      null,
    ]);
  });
});
