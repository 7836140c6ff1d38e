import { AsyncLocalStorage } from "node:async_hooks";
import { manualClock } from "@budgetkit/testing";
import { describe, expect, it, onTestFinished } from "vitest";
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
  withConnection(connection: object): object {
    return connection;
  }
  onWork(listener: () => void): () => void {
    return listener;
  }
}

describe("calls of a store", () => {
  it("publishes a commit by the kind of its first write, and one without writes as an audit", async () => {
    const observed = watch(CHANNELS.store, onTestFinished);
    const store = observedCalls({ commit: async (_commit: object) => 1 }, undefined, clock);
    await store.commit({ businessId: "secret", writes: [{ kind: "payment" }, { kind: "budget" }] });
    await store.commit({ businessId: "secret", writes: [] });
    expect(observed.ended.map(({ attributes }) => attributes["db.operation.name"])).toEqual([
      "commit payment",
      "commit audit",
    ]);
  });

  it("passes store calls through while the channel has no subscribers", async () => {
    const store = observedCalls(new Shop(), "sqlite", clock);
    expect(await store.countBudgets()).toBe(1);
    expect(await store.findBudget("1")).toBe("secret of 1");
    await expect(store.fail()).rejects.toThrow("no");
  });

  it("publishes store calls with method, database and duration, without arguments and results", async () => {
    const observed = watch(CHANNELS.store, onTestFinished);
    const store = observedCalls(new Shop(), "sqlite", clock);
    expect(await store.countBudgets()).toBe(1);
    await store.findBudget("4711");
    expect(observed.ended).toEqual([
      { attributes: { "db.operation.name": "countBudgets", "db.system.name": "sqlite" }, durationMs: 7 },
      { attributes: { "db.operation.name": "findBudget", "db.system.name": "sqlite" }, durationMs: 0 },
    ]);
  });

  it("publishes a store call with the error that it threw", async () => {
    const observed = watch(CHANNELS.store, onTestFinished);
    await expect(observedCalls(new Shop(), undefined, clock).fail()).rejects.toThrow("no");
    expect(observed.ended).toMatchObject([
      { attributes: { "db.operation.name": "fail", "error.type": "RangeError" }, error: { message: "no" } },
    ]);
  });

  it("runs a store call within the context that a subscriber bound to its start", async () => {
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

  it("publishes nothing for store members that do not call the database", () => {
    const observed = watch(CHANNELS.store, onTestFinished);
    const connection = {};
    const listener = () => {};
    const store = observedCalls(new Shop(), "sqlite", clock);
    expect(store.withConnection(connection)).toBe(connection);
    expect(store.onWork(listener)).toBe(listener);
    expect(observed.ended).toEqual([]);
  });
});
