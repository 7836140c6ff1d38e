import { afterEach, describe, expect, it, vi } from "vitest";
import { memoizedSingleFlight, singleFlight } from "./single-flight.js";

describe("singleFlight", () => {
  afterEach(() => void vi.useRealTimers());

  function heldRuns(maxAgeMs?: number) {
    const keys: string[] = [];
    const ends: { resolve: (result: string) => void; reject: (error: Error) => void }[] = [];
    const call = singleFlight((key: string) => {
      keys.push(key);
      return new Promise<string>((resolve, reject) => void ends.push({ resolve, reject }));
    }, maxAgeMs);
    return { keys, ends, call };
  }

  it("singleFlight shares one run among concurrent calls with one key", async () => {
    const { keys, ends, call } = heldRuns();
    const calls = Promise.all([call("a"), call("a"), call("b")]);
    expect(keys).toEqual(["a", "b"]);
    ends[0]?.resolve("one");
    ends[1]?.resolve("two");
    expect(await calls).toEqual(["one", "one", "two"]);
  });

  it("singleFlight keeps neither a result nor a failure for later calls", async () => {
    const { ends, call } = heldRuns();
    const first = [call("a"), call("a")];
    ends[0]?.reject(new Error("not yet"));
    for (const failing of first) await expect(failing).rejects.toThrow("not yet");
    const second = call("a");
    ends[1]?.resolve("one");
    expect(await second).toBe("one");
    const third = call("a");
    ends[2]?.resolve("two");
    expect(await third).toBe("two");
  });

  it("singleFlight starts another run after the maximum age, and keeps it when the old run ends", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { keys, ends, call } = heldRuns(1_000);
    void call("a");
    vi.advanceTimersByTime(999);
    void call("a");
    expect(keys).toHaveLength(1);
    vi.advanceTimersByTime(1);
    const second = call("a");
    ends[0]?.resolve("late");
    await Promise.resolve();
    const third = call("a");
    expect(keys).toHaveLength(2);
    ends[1]?.resolve("new");
    expect(await Promise.all([second, third])).toEqual(["new", "new"]);
  });
});

describe("memoizedSingleFlight", () => {
  it("memoizedSingleFlight runs once for all calls, concurrent or later", async () => {
    let runs = 0;
    const count = memoizedSingleFlight(async () => ++runs);
    expect(await Promise.all([count(), count()])).toEqual([1, 1]);
    expect(await count()).toBe(1);
  });

  it("memoizedSingleFlight fails for all waiting callers, and runs again for the next one", async () => {
    let runs = 0;
    const succeedAtLast = memoizedSingleFlight(async () => {
      runs += 1;
      if (runs === 1) throw new Error("not yet");
      return runs;
    });
    const first = [succeedAtLast(), succeedAtLast()];
    for (const failing of first) await expect(failing).rejects.toThrow("not yet");
    expect(await succeedAtLast()).toBe(2);
  });
});
