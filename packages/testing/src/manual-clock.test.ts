import { describe, expect, it } from "vitest";
import { manualClock } from "./manual-clock.js";

describe("a manual clock", () => {
  it("stands still", () => {
    const clock = manualClock("2026-01-15T12:00:00Z");
    expect([clock.now(), clock.now()]).toEqual([1_768_478_400_000, 1_768_478_400_000]);
  });

  it("moves on by as many milliseconds as it is told", () => {
    const clock = manualClock(1_000);
    clock.advance(500);
    clock.advance(1);
    expect(clock.now()).toBe(1_501);
  });

  it("is set to an instant or a text, backwards as well", () => {
    const clock = manualClock(1_000);
    clock.set("1970-01-01T00:00:05Z");
    expect(clock.now()).toBe(5_000);
    clock.set(1);
    expect(clock.now()).toBe(1);
  });

  it("tells how long something took, and does not take it back when it is set backwards", () => {
    const clock = manualClock(1_000);
    const before = clock.monotonicMs();
    clock.advance(500);
    clock.set(0);
    clock.set(20);
    expect(clock.monotonicMs() - before).toBe(520);
  });

  it.each(["", "yesterday", Number.NaN, 1.5])("refuses %j, which is no moment", (at) => {
    expect(() => manualClock(at)).toThrow(RangeError);
  });
});
