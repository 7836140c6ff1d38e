import { aBudget } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import type { Budget } from "../budget.js";
import { KeptBudgets } from "./kept-budgets.js";

const named = (overrides: Partial<Budget>) => ({ budget: aBudget(overrides), customer: null, products: [] });

describe("the budgets that a store keeps", () => {
  it("are kept and frozen from the second read on", () => {
    const kept = new KeptBudgets();
    const [first, second] = [named({ id: "10" }), named({ id: "10" })];
    kept.add(first, 1_000);
    expect([kept.get("1", "10"), Object.isFrozen(first)]).toEqual([undefined, false]);
    kept.add(second, 1_000);
    expect(kept.get("1", "10")).toBe(second);
    expect([Object.isFrozen(second), Object.isFrozen(second.budget.items[0])]).toEqual([true, true]);
    kept.delete("1", "10");
    expect(kept.get("1", "10")).toBeUndefined();
  });

  it.each([
    ["a long document", {}, 10_000],
    ["nested metadata", { metadata: { order: { id: 7 } } }, 1_000],
  ])("have none with %s", (_, content, length) => {
    const kept = new KeptBudgets();
    for (let times = 0; times < 3; times += 1) kept.add(named({ id: "10", ...content }), length);
    expect(kept.get("1", "10")).toBeUndefined();
  });

  it("have a bound", () => {
    const kept = new KeptBudgets();
    const ids = Array.from({ length: 10_000 }, (_, index) => String(index));
    for (const id of ids) for (let times = 0; times < 2; times += 1) kept.add(named({ id }), 1_000);
    expect(ids.filter((id) => kept.get("1", id) !== undefined).length).toBeLessThanOrEqual(2_000);
  });
});
