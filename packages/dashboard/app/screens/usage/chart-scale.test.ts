import { describe, expect, it } from "vitest";
import { labelledDays, ticksOf } from "./chart-scale.js";

describe("ticksOf", () => {
  it.each([
    [27_300, 4, [0, 10_000, 20_000, 30_000]],
    [412, 1, [0, 500]],
    [3, 4, [0, 1, 2, 3]],
    [0, 4, [0, 1]],
    [0.4, 2, [0, 0.2, 0.4]],
  ])("covers %d with at most %d lines of round numbers", (largest, lines, ticks) => {
    expect(ticksOf(largest, lines)).toEqual(ticks);
  });

  it("never has more lines than were asked for", () => {
    for (let largest = 1; largest < 5_000; largest += 7) {
      const ticks = ticksOf(largest, 4);
      expect(ticks.length - 1).toBeLessThanOrEqual(4);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(largest);
    }
  });
});

describe("labelledDays", () => {
  it("labels the last day, and as many others as have room", () => {
    expect([...labelledDays(31, 700, 70)].sort((a, b) => a - b)).toEqual([2, 6, 10, 14, 18, 22, 26, 30]);
    expect([...labelledDays(2, 700, 70)]).toEqual([1, 0]);
  });
});
