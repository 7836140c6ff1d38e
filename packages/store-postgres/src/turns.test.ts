import { StoreUnavailable } from "@budgetkit/core/store";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createTurns, type TurnLimits } from "./turns.js";

const LIMITS: TurnLimits = { places: 3, placesOfOne: 2, waiting: 100, patienceMs: 60_000 };

/** Work that is under way until it is told to end, named by who it is for. */
function world(limits: Partial<TurnLimits> = {}) {
  const inTurn = createTurns({ ...LIMITS, ...limits });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    begun,
    ask: (name: string) =>
      inTurn(name[0], () => {
        begun.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      }),
    end: async (name: string) => {
      ends.get(name)?.();
      await turn();
    },
    turn,
  };
}

describe("turns", () => {
  it("are given to no more than there are places, and to none of them more than its share", async () => {
    const { begun, ask, turn } = world();
    for (const name of ["a1", "a2", "a3", "b1", "b2"]) void ask(name);
    await turn();
    expect(begun).toEqual(["a1", "a2", "b1"]);
  });

  it("come round, however many one of them waits for", async () => {
    const { begun, ask, end, turn } = world({ places: 1, placesOfOne: 1 });
    const all = ["a1", "a2", "a3", "a4", "b1", "b2", "c1"].map(ask);
    await turn();
    for (const name of ["a1", "a2", "b1", "c1", "a3", "b2", "a4"]) await end(name);
    expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
    expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "a4", "b1", "b2", "c1"]);
  });

  it("pass over those who have their share, and come to them once they have less", async () => {
    const { begun, ask, end, turn } = world();
    for (const name of ["a1", "a2", "a3", "b1", "b2"]) void ask(name);
    await turn();
    await end("b1");
    expect(begun).toEqual(["a1", "a2", "b1", "b2"]);
    await end("a1");
    expect(begun).toEqual(["a1", "a2", "b1", "b2", "a3"]);
  });

  it("end with work that fails", async () => {
    const inTurn = createTurns({ ...LIMITS, places: 1 });
    await expect(inTurn("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await inTurn("b", async () => "b")).toBe("b");
  });

  it("are not waited for by more than may wait, nor for longer than that", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { begun, ask, end } = world({ places: 1, waiting: 1 });
    const first = ask("a1");
    const waiting = ask("b1");
    await expect(ask("c1")).rejects.toThrow(StoreUnavailable);
    vi.advanceTimersByTime(LIMITS.patienceMs);
    await expect(waiting).rejects.toThrow(StoreUnavailable);
    const last = ask("d1");
    await end("a1");
    vi.advanceTimersByTime(LIMITS.patienceMs);
    await end("d1");
    expect([await first, await last]).toEqual(["a1", "d1"]);
    expect(begun).toEqual(["a1", "d1"]);
  });
});
