import { createBudgetService } from "@budgetkit/core";
import { insertBudgetCommit, insertBusinessCommit, replaceBudgetCommit, type Store } from "@budgetkit/core/store";
import { aBudget, aBusiness, outcomeOf } from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { postgresStore } from "../index.js";
import { testSchema } from "../testing/test-schema.js";

const HOUR = 3_600_000;
const SECOND = 1_000;
const secret = "s".repeat(32);

/** The clock of a process that is ahead of the database. */
const ahead = (ms: number) => ({ now: () => Date.now() + ms, monotonicMs: () => performance.now() });

describe("a budget that processes with different clocks share", () => {
  const schema = testSchema();
  let store: Store;
  let validUntil: number;

  beforeEach(async () => {
    await (await schema.freshStore()).close();
    store = postgresStore(schema.pool, { schema: schema.schema });
    validUntil = Date.now() + HOUR / 2;
    await store.commit(insertBusinessCommit(aBusiness({ id: "1" })));
    await store.commit(insertBudgetCommit(aBudget({ id: "10", status: "PENDING", validUntil })));
  });

  afterEach(() => store.close());

  it("is ended by no process whose clock is ahead, which is not ready and says why", async () => {
    const wrong = createBudgetService({ store, secret, clock: ahead(HOUR) });
    const actor = { kind: "system", businessId: "1" } as const;
    await wrong.tick();
    expect((await wrong.budgets.get(actor, "10"))._unsafeUnwrap().status).toBe("PENDING");
    expect(await wrong.isReady()).toBe(false);
    expect(await wrong.findOutage()).toMatch(/clock of this process is (?:3599|3600|3601) s ahead of the database's/);
    expect((await store.findBudget("1", "10"))?.status).toBe("PENDING");
  });

  it("is not expired by a write of such a process before it has compared the clocks, and is once its time has come", async () => {
    const expired = aBudget({ id: "10", status: "EXPIRED", validUntil, version: 2 });
    expect(await outcomeOf(store, replaceBudgetCommit(expired, 1))).toBe("stale");
    const overdue = aBudget({ id: "11", status: "PENDING", validUntil: Date.now() - SECOND });
    await store.commit(insertBudgetCommit(overdue));
    expect(await outcomeOf(store, replaceBudgetCommit({ ...overdue, status: "EXPIRED", version: 2 }, 1))).toBe(
      "written",
    );
  });

  it.each([-2 * SECOND, 2 * SECOND])("leaves a process ready whose clock is off by %i ms", async (ms) => {
    expect(await createBudgetService({ store, secret, clock: ahead(ms) }).findOutage()).toBeNull();
  });
});
