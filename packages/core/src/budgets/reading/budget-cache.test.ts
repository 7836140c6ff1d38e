import { aBudget } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import type { Budget } from "../budget.js";
import type { NamedBudget } from "../budget-store.js";
import { BudgetCache } from "./budget-cache.js";

const named = (overrides: Partial<Budget>) => ({ budget: aBudget(overrides), customer: null, products: [] });

function read(cache: BudgetCache, found: NamedBudget, length: number): void {
  if (cache.noteRead(found.budget)) cache.set(found.budget, found, length);
}

describe("the budgets that a store caches", () => {
  it("caches and freezes a budget at its second read", () => {
    const cache = new BudgetCache();
    const [first, second] = [named({ id: "10" }), named({ id: "10" })];
    read(cache, first, 1_000);
    expect([cache.get("1", "10"), Object.isFrozen(first)]).toEqual([undefined, false]);
    read(cache, second, 1_000);
    expect(cache.get("1", "10")).toBe(second);
    expect([Object.isFrozen(second), Object.isFrozen(second.budget.items[0])]).toEqual([true, true]);
    cache.delete("1", "10");
    expect(cache.get("1", "10")).toBeUndefined();
  });

  it.each([
    ["a long document", {}, 10_000],
    ["nested metadata", { metadata: { order: { id: 7 } } }, 1_000],
  ])("caches no budget with %s", (_, content, length) => {
    const cache = new BudgetCache();
    const found = named({ id: "10", ...content });
    for (let times = 0; times < 3; times += 1) read(cache, found, length);
    expect(cache.get("1", "10")).toBeUndefined();
  });

  it("caches no more of a business than its share, and leaves the budgets of others", () => {
    const cache = new BudgetCache();
    const ids = Array.from({ length: 1_000 }, (_, index) => String(index));
    const others = named({ businessId: "2" });
    for (const found of [others, ...ids.map((id) => named({ id }))]) {
      for (let times = 0; times < 2; times += 1) read(cache, found, 4_000);
    }
    expect(ids.filter((id) => cache.get("1", id) !== undefined)).toHaveLength(500);
    expect(cache.get("2", others.budget.id)).toBe(others);
  });

  it("caches a changed budget at its next read, and each at its second once all are forgotten", () => {
    const cache = new BudgetCache();
    for (let times = 0; times < 2; times += 1) read(cache, named({ id: "10" }), 1_000);
    cache.delete("1", "10");
    const changed = named({ id: "10", version: 2 });
    read(cache, changed, 1_000);
    expect(cache.get("1", "10")).toBe(changed);
    cache.clear();
    read(cache, changed, 1_000);
    expect(cache.get("1", "10")).toBeUndefined();
  });
});
