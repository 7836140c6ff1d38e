import { describe, expect, it } from "vitest";
import { manualClock } from "./manual-clock.js";

describe("a manual clock", () => {
  it("a manual clock stands still", () => {
    const clock = manualClock("2026-01-15T12:00:00Z");
    expect([clock.now(), clock.now()]).toEqual([1_768_478_400_000, 1_768_478_400_000]);
  });

  it("a manual clock advances by the given milliseconds", () => {
    const clock = manualClock(1_000);
    clock.advance(500);
    clock.advance(1);
    expect(clock.now()).toBe(1_501);
  });

  it("sets a manual clock to an instant or a text, backwards as well", () => {
    const clock = manualClock(1_000);
    clock.set("1970-01-01T00:00:05Z");
    expect(clock.now()).toBe(5_000);
    clock.set(1);
    expect(clock.now()).toBe(1);
  });

  it("the monotonic time of a manual clock never goes back", () => {
    const clock = manualClock(1_000);
    const before = clock.monotonicMs();
    clock.advance(500);
    clock.set(0);
    clock.set(20);
    expect(clock.monotonicMs() - before).toBe(520);
  });

  it.each(["", "yesterday", Number.NaN, 1.5])("a manual clock refuses %j, which is no moment", (at) => {
    expect(() => manualClock(at)).toThrow(RangeError);
  });
});
