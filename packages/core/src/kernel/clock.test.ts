import { describe, expect, it } from "vitest";
import { DAY_MS, systemClock, toTimestamp } from "./clock.js";

describe("the machine's clock", () => {
  it("the machine's monotonic clock never steps back", () => {
    const readings = Array.from({ length: 100 }, () => systemClock.monotonicMs());
    expect(readings).toEqual([...readings].sort((a, b) => a - b));
  });
});

describe("a timestamp", () => {
  it("toTimestamp agrees with toISOString on every day that a Date can hold", () => {
    const edges = [0, 1, 999, 1_000, 59_999, 60_000, 3_599_999, 3_600_000, DAY_MS - 1];
    const days = [-100_000_000, -719_529, -1, 0, 1, 59, 11_016, 20_089, 47_482, 2_932_897, 99_999_999];
    for (const instant of days.flatMap((day) => edges.map((edge) => day * DAY_MS + edge))) {
      expect(toTimestamp(instant)).toBe(new Date(instant).toISOString());
    }
  });

  it("toTimestamp leaves out fractions of a millisecond", () => {
    expect(toTimestamp(1_735_689_600_999.9)).toBe("2025-01-01T00:00:00.999Z");
  });

  it("toTimestamp gives the date of toISOString on each day of 1600 to 2400, and around the years 0 and 9999", () => {
    const firsts = [-135_140, -719_600, 2_932_800];
    for (const [index, first] of firsts.entries()) {
      const count = index === 0 ? 292_200 : 200;
      for (let day = first; day < first + count; day += 1) {
        const expected = new Date(day * DAY_MS).toISOString();
        if (toTimestamp(day * DAY_MS) !== expected) expect(toTimestamp(day * DAY_MS)).toBe(expected);
      }
    }
  });

  it("toTimestamp throws for a time that a Date cannot hold", () => {
    expect(() => toTimestamp(Number.NaN)).toThrow(RangeError);
    expect(() => toTimestamp(8.65e15)).toThrow(RangeError);
  });
});
