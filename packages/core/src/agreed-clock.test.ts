import { describe, expect, it } from "vitest";
import { agreedClock } from "./agreed-clock.js";

const NOW = Date.UTC(2026, 0, 1);

/** A process at NOW, and a store whose clock shows another time. */
function clocks(shown: number) {
  const own = { now: () => NOW, monotonicMs: () => 0 };
  let store = shown;
  const agreed = agreedClock(own, { readClock: async () => store });
  return {
    ...agreed,
    show: (time: number) => {
      store = time;
    },
  };
}

describe("the clock of a process beside that of its store", () => {
  it.each([0, 5_000, -5_000])("is left alone when it is off by %i ms", async (off) => {
    const { clock, agree, findFault } = clocks(NOW + off);
    await agree();
    expect(clock.now()).toBe(NOW);
    expect(await findFault()).toBeNull();
  });

  it.each([
    [3_600_000, "3600 s behind"],
    [-3_600_000, "3600 s ahead of"],
  ])("follows the store's when it is off by %i ms, until both agree", async (off, fault) => {
    const { clock, agree, findFault, show } = clocks(NOW + off);
    await agree();
    expect(clock.now()).toBe(NOW + off);
    expect(await findFault()).toContain(fault);
    show(NOW);
    expect(await findFault()).toBeNull();
    expect(clock.now()).toBe(NOW);
  });

  it("is the only one beside a store without a clock", async () => {
    const { clock, agree, findFault } = agreedClock({ now: () => NOW, monotonicMs: () => 0 }, {});
    await agree();
    expect([clock.now(), await findFault()]).toEqual([NOW, null]);
  });
});
