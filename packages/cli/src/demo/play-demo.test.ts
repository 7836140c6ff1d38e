import { type BudgetService, createBudgetService } from "@budgetkit/core";
import { memoryStore, rounds } from "@budgetkit/testing";
import { expect, it } from "vitest";
import { seededDraws } from "./draws.js";
import { movingClock } from "./moving-clock.js";
import { demoReceiver, playDemo } from "./play-demo.js";

const NOW = Date.UTC(2026, 5, 1);
/** The demonstration has 500. */
const BUDGETS = rounds({ small: 120, full: 500 });
const SECRET = "s".repeat(32);

/** A service whose budgets meet a round of upkeep of another one as soon as they are made or submitted. */
function besideUpkeepOf(other: BudgetService, service: BudgetService): BudgetService {
  const { create, submit } = service.budgets;
  const budgets: BudgetService["budgets"] = {
    ...service.budgets,
    create: async (...args) => {
      const made = await create(...args);
      await other.tick();
      return made;
    },
    submit: async (...args) => {
      const moved = await submit(...args);
      await other.tick();
      return moved;
    },
  };
  return { ...service, budgets };
}

it("plays the year of a demo while a server on the same database expires what is overdue", async () => {
  const store = memoryStore();
  await store.migrate();
  const clock = movingClock(NOW);
  const draws = seededDraws(1);
  const server = createBudgetService({ store, secret: SECRET, clock: movingClock(NOW) });
  const service = createBudgetService({ store, secret: SECRET, clock, webhooks: { sender: demoReceiver(draws) } });
  const business = (await service.businesses.create({ name: "Driftwood", tier: "PREMIUM" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId: business.id } as const;

  const stage = { service: besideUpkeepOf(server, service), clock, actor, draws, now: NOW, budgets: BUDGETS };
  expect((await playDemo(stage, () => {})).budgets).toBe(BUDGETS);

  const count = async (status: "APPROVED" | "REJECTED" | "EXPIRED" | "PENDING") =>
    (await service.budgets.list(actor, { status, limit: 1 }))._unsafeUnwrap().pagination.total;
  for (const status of ["APPROVED", "REJECTED", "EXPIRED", "PENDING"] as const) {
    expect(await count(status)).toBeGreaterThan(0);
  }
  const approved = (await service.budgets.list(actor, { status: "APPROVED", limit: 100 }))._unsafeUnwrap();
  expect(approved.data.filter(({ validUntil }) => validUntil === null)).toEqual([]);
});
