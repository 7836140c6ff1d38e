import { describe, expect, it } from "vitest";
import { once } from "./once.js";

describe("once", () => {
  it("runs once for all callers, those at the same time too", async () => {
    let runs = 0;
    const count = once(async () => ++runs);
    expect(await Promise.all([count(), count()])).toEqual([1, 1]);
    expect(await count()).toBe(1);
  });

  it("tells a failure to those who wait, and tries again for the next one", async () => {
    let runs = 0;
    const succeedAtLast = once(async () => {
      runs += 1;
      if (runs === 1) throw new Error("not yet");
      return runs;
    });
    const first = [succeedAtLast(), succeedAtLast()];
    for (const failing of first) await expect(failing).rejects.toThrow("not yet");
    expect(await succeedAtLast()).toBe(2);
  });
});
