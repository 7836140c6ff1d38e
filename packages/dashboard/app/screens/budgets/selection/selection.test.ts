import { describe, expect, it } from "vitest";
import type { BudgetSummary } from "../list/budget-summary.js";
import { runChunks, runEach } from "./bulk-run.js";
import { NOTHING, sumsOf, toggle, withAll, without } from "./selection.js";

function budget(id: string, total: number, currency = "ARS"): BudgetSummary {
  return {
    id,
    number: null,
    version: 1,
    status: "PENDING",
    state: "PENDING",
    customerId: "7",
    customerName: "Ana",
    customerEmail: null,
    firstLine: "",
    total,
    payable: total,
    paid: 0,
    open: total,
    currency,
    validUntil: null,
    createdAt: "",
    updatedAt: "",
    views: 0,
  };
}

describe("a selection", () => {
  it("a selection takes a budget in and out", () => {
    const one = toggle(NOTHING, budget("1", 10));
    expect([...one.keys()]).toEqual(["1"]);
    expect(toggle(one, budget("1", 10)).size).toBe(0);
    expect([...without(withAll(one, [budget("1", 10), budget("2", 5)]), ["1"]).keys()]).toEqual(["2"]);
  });

  it("a selection adds up by currency, to the cent", () => {
    const selection = withAll(NOTHING, [budget("1", 0.1), budget("2", 0.2), budget("3", 8_460, "USD")]);
    expect(sumsOf(selection)).toEqual([
      { currency: "ARS", amount: 0.3 },
      { currency: "USD", amount: 8_460 },
    ]);
  });
});

describe("runChunks", () => {
  it("runChunks sends at most a hundred ids at once, and refuses the ids of a call that fails alone", async () => {
    const ids = Array.from({ length: 230 }, (_, index) => String(index));
    const sizes: number[] = [];
    const outcomes = await runChunks(
      ids,
      async (chunk) => {
        sizes.push(chunk.length);
        if (sizes.length === 2) throw new Error("busy");
        return chunk.map((budgetId) => ({ budgetId, refusal: null }));
      },
      (error) => String(error),
    );
    expect(sizes).toEqual([100, 100, 30]);
    expect(outcomes.filter(({ refusal }) => refusal !== null).map(({ budgetId }) => budgetId)).toEqual(
      ids.slice(100, 200),
    );
  });
});

describe("runEach", () => {
  it("runEach goes on where one is refused, four at a time, with the outcomes in order", async () => {
    const ids = ["1", "2", "3", "4", "5", "6"];
    let running = 0;
    let most = 0;
    const outcomes = await runEach(
      ids,
      async (id) => {
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        if (id === "3") throw new Error("deleted already");
      },
      (error) => (error instanceof Error ? error.message : ""),
    );
    expect(most).toBe(4);
    expect(outcomes.map(({ budgetId }) => budgetId)).toEqual(ids);
    expect(outcomes.filter(({ refusal }) => refusal !== null)).toEqual([{ budgetId: "3", refusal: "deleted already" }]);
  });
});
