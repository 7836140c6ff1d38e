import { aBudget, FIXTURE_TIME as NOW } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { budgetWorld } from "../../testing/budget-world.js";
import { sweepOverdue } from "./expire-budgets.js";

const HELD = "1";

describe("the sweep of overdue budgets", () => {
  it("the expiry sweep goes on to other businesses when every write of one business fails", async () => {
    const { store, context } = budgetWorld();
    for (let id = 100; id < 150; id += 1) {
      await store.insertBudget(aBudget({ businessId: HELD, id: String(id), validUntil: NOW - 2 }), [], null);
    }
    for (const businessId of ["2", "3"]) {
      await store.insertBudget(aBudget({ businessId, validUntil: NOW - 1 }), [], null);
    }
    let refused = 0;
    const replaceBudget: typeof store.replaceBudget = async (budget, ...rest) => {
      if (budget.businessId !== HELD) return store.replaceBudget(budget, ...rest);
      refused += 1;
      throw new Error("a transaction of the host holds the business");
    };
    const holding = { ...context, store: { ...store, replaceBudget } };
    await expect(sweepOverdue(holding, NOW)).rejects.toThrow("holds the business");
    for (const businessId of ["2", "3"]) {
      expect(await store.findBudget(businessId, "10")).toMatchObject({ status: "EXPIRED", version: 2 });
    }
    expect(refused).toBeLessThan(50);
    expect(await sweepOverdue(context, NOW)).toBe(50);
  });
});
