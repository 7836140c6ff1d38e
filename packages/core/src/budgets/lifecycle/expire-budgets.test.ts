import { aBudget, FIXTURE_TIME as NOW } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { budgetWorld } from "../../testing/budget-world.js";
import { insertBudgetCommit } from "../budget-commits.js";
import { sweepOverdue } from "./expire-budgets.js";

const HELD = "1";

describe("the sweep of overdue budgets", () => {
  it("expires those of others, though every write of a business with older ones fails", async () => {
    const { store, context } = budgetWorld();
    for (let id = 100; id < 150; id += 1) {
      await store.commit(insertBudgetCommit(aBudget({ businessId: HELD, id: String(id), validUntil: NOW - 2 })));
    }
    for (const businessId of ["2", "3"]) {
      await store.commit(insertBudgetCommit(aBudget({ businessId, validUntil: NOW - 1 })));
    }
    let refused = 0;
    const commit: typeof context.commit = async (given) => {
      if (given.businessId !== HELD) return context.commit(given);
      refused += 1;
      throw new Error("a transaction of the host holds the business");
    };
    const holding = { ...context, commit };
    await expect(sweepOverdue(holding, NOW)).rejects.toThrow("holds the business");
    for (const businessId of ["2", "3"]) {
      expect(await store.findBudget(businessId, "10")).toMatchObject({ status: "EXPIRED", version: 2 });
    }
    expect(refused).toBeLessThan(50);
    expect(await sweepOverdue(context, NOW)).toBe(50);
  });
});
