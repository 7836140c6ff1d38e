import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, it, onTestFinished } from "vitest";
import { manualClock } from "../testing/manual-clock.js";
import { watch } from "../testing/watched-channel.js";
import { CHANNELS, storeChannel } from "./channels.js";
import { observedCalls } from "./observed-calls.js";

const clock = manualClock();

/** A store as a class may be, with a private field and a method that it inherits. */
class Base {
  async findBudget(id: string): Promise<string> {
    return `secret of ${id}`;
  }
}
class Shop extends Base {
  readonly #rows = new Set(["1"]);
  async countBudgets(): Promise<number> {
    clock.advance(7);
    return this.#rows.size;
  }
  async fail(): Promise<never> {
    throw new RangeError("no");
  }
  within(connection: object): object {
    return connection;
  }
  onWork(listener: () => void): () => void {
    return listener;
  }
}

describe("calls of a store", () => {
  it("go on as they are while nobody listens", async () => {
    const store = observedCalls(new Shop(), "sqlite", clock);
    expect(await store.countBudgets()).toBe(1);
    expect(await store.findBudget("1")).toBe("secret of 1");
    await expect(store.fail()).rejects.toThrow("no");
  });

  it("are told of by method, database and duration, without arguments and results", async () => {
    const told = watch(CHANNELS.store, onTestFinished);
    const store = observedCalls(new Shop(), "sqlite", clock);
    expect(await store.countBudgets()).toBe(1);
    await store.findBudget("4711");
    expect(told.ended).toEqual([
      { attributes: { "db.operation.name": "countBudgets", "db.system.name": "sqlite" }, durationMs: 7 },
      { attributes: { "db.operation.name": "findBudget", "db.system.name": "sqlite" }, durationMs: 0 },
    ]);
  });

  it("are told of with what they threw", async () => {
    const told = watch(CHANNELS.store, onTestFinished);
    await expect(observedCalls(new Shop(), undefined, clock).fail()).rejects.toThrow("no");
    expect(told.ended).toMatchObject([
      { attributes: { "db.operation.name": "fail", "error.type": "RangeError" }, error: { message: "no" } },
    ]);
  });

  it("run with what a subscriber has bound to their start", async () => {
    const spans = new AsyncLocalStorage<string>();
    storeChannel.start.bindStore(spans, ({ attributes }) => `span of ${attributes["db.operation.name"]}`);
    try {
      const store = observedCalls({ ask: async () => spans.getStore() }, undefined, clock);
      expect(await store.ask()).toBe("span of ask");
      expect(spans.getStore()).toBeUndefined();
    } finally {
      storeChannel.start.unbindStore(spans);
    }
  });

  it("leave what is no call of the database alone", () => {
    const told = watch(CHANNELS.store, onTestFinished);
    const connection = {};
    const listener = () => {};
    const store = observedCalls(new Shop(), "sqlite", clock);
    expect(store.within(connection)).toBe(connection);
    expect(store.onWork(listener)).toBe(listener);
    expect(told.ended).toEqual([]);
  });
});
