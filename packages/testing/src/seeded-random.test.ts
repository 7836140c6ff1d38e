import { describe, expect, it } from "vitest";
import { drawInteger, drawOne, seededRandom } from "./seeded-random.js";

describe("seeded randomness", () => {
  it("seeded randomness draws the same bytes for the same seed", () => {
    expect(seededRandom(7).bytes(64)).toEqual(seededRandom(7).bytes(64));
  });

  it("seeded randomness draws other bytes for another seed, and others each time", () => {
    const random = seededRandom(7);
    const first = random.bytes(16);
    expect(first).not.toEqual(seededRandom(8).bytes(16));
    expect(first).not.toEqual(random.bytes(16));
  });

  it("seeded randomness draws as many bytes as requested", () => {
    expect([0, 1, 33].map((size) => seededRandom(1).bytes(size).length)).toEqual([0, 1, 33]);
  });

  it("seeded randomness draws every value about equally often", () => {
    const random = seededRandom(1);
    const counts = new Array<number>(10).fill(0);
    for (let n = 0; n < 10_000; n += 1) {
      const drawn = drawInteger(random, 10);
      counts[drawn] = (counts[drawn] ?? 0) + 1;
    }
    expect(counts).toHaveLength(10);
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });

  it("drawOne draws one of the entries, and fails when there are none", () => {
    const random = seededRandom(1);
    const drawn = new Set(Array.from({ length: 100 }, () => drawOne(random, ["a", "b", "c"])));
    expect([...drawn].sort()).toEqual(["a", "b", "c"]);
    expect(() => drawOne(random, [])).toThrow(RangeError);
  });
});
