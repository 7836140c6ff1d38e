import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createFairSemaphore, type SemaphoreLimits } from "./fair-semaphore.js";

const LIMITS: SemaphoreLimits = { slots: 3, slotsPerKey: 2, maxWaiting: 100, timeoutMs: null };

class Refused extends Error {}

function semaphore(limits: Partial<SemaphoreLimits> = {}) {
  return createFairSemaphore({ ...LIMITS, ...limits }, (reason) => new Refused(reason));
}

/** Work that runs until the test ends it. The first letter of its name is the key. */
function world(limits: Partial<SemaphoreLimits> = {}) {
  const run = semaphore(limits);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    started,
    start: (name: string) =>
      run(name[0], () => {
        started.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      }),
    end: async (name: string) => {
      ends.get(name)?.();
      await turn();
    },
    turn,
  };
}

describe("the fair semaphore", () => {
  it("the fair semaphore runs at most as many calls as it has slots, and of one key its share", async () => {
    const { started, start, turn } = world();
    for (const name of ["a1", "a2", "a3", "b1", "b2"]) void start(name);
    await turn();
    expect(started).toEqual(["a1", "a2", "b1"]);
  });

  it("the fair semaphore serves waiting keys in turn, however many calls of one key wait", async () => {
    const { started, start, end, turn } = world({ slots: 1, slotsPerKey: 1 });
    const all = ["a1", "a2", "a3", "a4", "b1", "b2", "c1"].map(start);
    await turn();
    for (const name of ["a1", "a2", "b1", "c1", "a3", "b2", "a4"]) await end(name);
    expect(started).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
    expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "a4", "b1", "b2", "c1"]);
  });

  it("the fair semaphore skips a key that uses its share until one of its slots is free", async () => {
    const { started, start, end, turn } = world();
    for (const name of ["a1", "a2", "a3", "b1", "b2"]) void start(name);
    await turn();
    await end("b1");
    expect(started).toEqual(["a1", "a2", "b1", "b2"]);
    await end("a1");
    expect(started).toEqual(["a1", "a2", "b1", "b2", "a3"]);
  });

  it("the fair semaphore serves the key with the fewest used slots first", async () => {
    const { started, start, end, turn } = world();
    for (const name of ["a1", "b1", "b2", "a2", "c1"]) void start(name);
    await turn();
    await end("b1");
    expect(started).toEqual(["a1", "b1", "b2", "c1"]);
    await end("c1");
    expect(started).toEqual(["a1", "b1", "b2", "c1", "a2"]);
  });

  it("the fair semaphore frees the slot of work that fails", async () => {
    const run = semaphore({ slots: 1 });
    const failing = run("a", () => Promise.reject(new Error("no")));
    const next = run("b", async () => "b");
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("b");
  });

  it("the fair semaphore rejects calls beyond the waiting limit and calls that wait too long", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { started, start, end } = world({ slots: 1, maxWaiting: 1, timeoutMs: 60_000 });
    const first = start("a1");
    const waiting = start("b1");
    await expect(start("c1")).rejects.toThrow(Refused);
    vi.advanceTimersByTime(60_000);
    await expect(waiting).rejects.toThrow(Refused);
    const last = start("d1");
    await end("a1");
    vi.advanceTimersByTime(60_000);
    await end("d1");
    expect([await first, await last]).toEqual(["a1", "d1"]);
    expect(started).toEqual(["a1", "d1"]);
  });

  it("refuses the last call of the key with the most waiting calls, so that two busy keys never exclude a third", async () => {
    const { started, start, end } = world({ slots: 2, slotsPerKey: 1, maxWaiting: 6 });
    const busy = ["a1", "a2", "a3", "a4", "a5", "b1", "b2", "b3"].map((name) => start(name).catch(() => `no ${name}`));
    const third = ["c1", "c2"].map(start);
    const late = start("c3").catch(() => "no c3");
    for (const name of ["a1", "b1", "a2", "b2", "c1", "a3", "b3", "c2"]) await end(name);
    expect(await Promise.all(third)).toEqual(["c1", "c2"]);
    await Promise.all(started.map(end));
    expect(await late).toBe("no c3");
    expect(await Promise.all(busy)).toEqual(["a1", "a2", "a3", "no a4", "no a5", "b1", "b2", "b3"]);
  });

  it("refuses calls of a key beyond its own waiting limit, and none of another key", async () => {
    const { started, start, end } = world({ slots: 2, slotsPerKey: 1, maxWaitingPerKey: 1 });
    const kept = ["a1", "a2", "b1"].map(start);
    await expect(start("a3")).rejects.toThrow(Refused);
    const last = start("b2");
    for (const name of ["a1", "b1", "a2", "b2"]) await end(name);
    expect(await Promise.all([...kept, last])).toEqual(["a1", "a2", "b1", "b2"]);
    expect(started).toEqual(["a1", "b1", "a2", "b2"]);
  });

  it("the fair semaphore's work grows with the number of waiting calls, not with its square", async () => {
    const run = semaphore({ slots: 1, maxWaiting: Number.POSITIVE_INFINITY });
    const timeFor = async (count: number): Promise<number> => {
      const begin = performance.now();
      await Promise.all(Array.from({ length: count }, () => run("a", async () => {})));
      return performance.now() - begin;
    };
    await timeFor(5_000);
    expect(await timeFor(40_000)).toBeLessThan(40 * (await timeFor(5_000)) + 500); // the square of 8 is 64
  });

  it("the fair semaphore waits without bound when it has no timeout", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { start, end } = world({ slots: 1 });
    const both = Promise.all([start("a1"), start("b1")]);
    vi.advanceTimersByTime(24 * 60 * 60_000);
    for (const name of ["a1", "b1"]) await end(name);
    expect(await both).toEqual(["a1", "b1"]);
  });
});
