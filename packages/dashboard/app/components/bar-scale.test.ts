import { describe, expect, it } from "vitest";
import { labelStep, stack, ticksOf } from "./bar-scale.js";

describe("ticksOf", () => {
  it("ticks are round steps up to at least the largest value", () => {
    expect(ticksOf(9_300_000)).toEqual([0, 2_500_000, 5_000_000, 7_500_000, 10_000_000]);
    expect(ticksOf(4)).toEqual([0, 1, 2, 3, 4]);
    expect(ticksOf(0.3)).toEqual([0, 0.1, 0.2, 0.3]);
    expect(ticksOf(0)).toEqual([0]);
  });
});

describe("stack", () => {
  it("the parts of a bar stand on each other; what is nothing has none", () => {
    expect(stack([2, 0, 3], 10)).toEqual([
      { series: 0, from: 0, to: 0.2 },
      { series: 2, from: 0.2, to: 0.5 },
    ]);
    expect(stack([1], 0)).toEqual([]);
  });
});

describe("labelStep", () => {
  it("labelStep leaves out labels that would touch", () => {
    expect(labelStep(12, 790, 52)).toBe(1);
    expect(labelStep(52, 790, 52)).toBe(4);
  });
});
