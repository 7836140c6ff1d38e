import { describe, expect, it, vi } from "vitest";
import type { BudgetStore } from "../budgets/budget-store.js";
import { aBudget, anEvent } from "../testing/fixtures.js";
import { memoryStore } from "../testing/memory-store/index.js";
import { tellingAfterCommit } from "./after-commit.js";
import { createEventListeners } from "./event-listeners.js";

const created = anEvent();
const approved = anEvent({ id: "91", type: "budget.approved" });

describe("listeners in the process", () => {
  it("hear of the type that they asked for, or of everything, until they have enough", async () => {
    const { on, announce } = createEventListeners(() => {});
    const some = vi.fn();
    const all = vi.fn();
    on("budget.approved", some);
    const off = on("*", all);
    announce([created, approved]);
    await Promise.resolve();
    expect(some.mock.calls).toEqual([[approved]]);
    expect(all.mock.calls).toEqual([[created], [approved]]);
    off();
    announce([created]);
    await Promise.resolve();
    expect(all).toHaveBeenCalledTimes(2);
  });

  it("are reported when they throw or reject, and disturb nobody", async () => {
    const onError = vi.fn();
    const { on, announce } = createEventListeners(onError);
    const calm = vi.fn();
    on("*", () => {
      throw new Error("thrown");
    });
    on("*", async () => Promise.reject(new Error("rejected")));
    on("*", calm);
    expect(() => announce([created])).not.toThrow();
    await vi.waitFor(() => expect(onError).toHaveBeenCalledTimes(2), { timeout: 20_000 });
    expect(onError.mock.calls.flat()).toEqual([new Error("thrown"), new Error("rejected")]);
    expect(calm).toHaveBeenCalledTimes(1);
  });
});

describe("what a store tells after a commit", () => {
  it("is what was written, once it is written", async () => {
    const announce = vi.fn();
    const store = memoryStore();
    const telling = tellingAfterCommit(store, announce);
    const budget = aBudget();
    expect(await telling.insertBudget(budget, [created], null)).toBe("written");
    expect(announce.mock.calls).toEqual([[[created]]]);
    expect(await telling.replaceBudget({ ...budget, version: 2 }, 1, [approved], null)).toBe("written");
    expect(announce).toHaveBeenLastCalledWith([approved]);
    expect(await telling.replaceBudget({ ...budget, version: 2 }, 1, [approved], null)).toBe("stale");
    expect(await telling.replaceBudget({ ...budget, version: 3 }, 2, [], null)).toBe("written");
    await expect(telling.insertBudget(budget, [created], null)).rejects.toThrow(/duplicate/);
    expect(announce).toHaveBeenCalledTimes(2);
  });

  it("works for a store that is an instance of a class, with fields of its own", async () => {
    class HostStore {
      readonly name = "host's";
      readonly #inner = memoryStore();
      insertBudget: BudgetStore["insertBudget"] = (...given) => this.#inner.insertBudget(...given);
      replaceBudget: BudgetStore["replaceBudget"] = (...given) => this.#inner.replaceBudget(...given);
      findBudget(businessId: string, id: string) {
        return this.#inner.findBudget(businessId, id);
      }
    }
    const announce = vi.fn();
    const telling = tellingAfterCommit(new HostStore(), announce);
    await telling.insertBudget(aBudget(), [created], null);
    expect(announce).toHaveBeenCalledTimes(1);
    expect(await telling.findBudget("1", "10")).toEqual(aBudget());
    expect(telling.name).toBe("host's");
  });
});
