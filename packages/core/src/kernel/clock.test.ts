import { describe, expect, it } from "vitest";
import { systemClock } from "./clock.js";

describe("the machine's clock", () => {
  it("never steps back", () => {
    const readings = Array.from({ length: 100 }, () => systemClock.monotonicMs());
    expect(readings).toEqual([...readings].sort((a, b) => a - b));
  });
});
