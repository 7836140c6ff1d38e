import { createBudgetService } from "@budgetkit/core";
import { auditCommit, insertBusinessCommit } from "@budgetkit/core/store";
import { aBusiness, anEvent, FIXTURE_TIME, memoryStore } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { budgetsOf, eventsOf, messagesOf } from "./business-records.js";

const actor = { kind: "system", businessId: "1" } as const;

async function aService() {
  const store = memoryStore();
  await store.commit(insertBusinessCommit(aBusiness()));
  return { store, service: createBudgetService({ store, secret: "s".repeat(32) }) };
}

async function all<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const entry of entries) found.push(entry);
  return found;
}

describe("the events of a business", () => {
  it("exports each event once, newest first, also where hundreds share a moment", async () => {
    const { store, service } = await aService();
    const moments = [0, ...Array.from({ length: 250 }, () => 1), 2, ...Array.from({ length: 120 }, () => 3), 4];
    for (const [index, moment] of moments.entries()) {
      await store.commit(
        auditCommit({
          ...anEvent({ id: String(500 + index) }),
          type: "webhook.secret_read",
          occurredAt: FIXTURE_TIME + moment,
        }),
      );
    }
    const exported = await all(eventsOf(service, actor, new Date(FIXTURE_TIME + 1_000)));
    expect(exported).toHaveLength(moments.length);
    expect(new Set(exported.map(({ id }) => id)).size).toBe(moments.length);
    const times = exported.map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort().reverse());
  });

  it("exports the events that a later commit dates earlier, such as expiries", async () => {
    const { store, service } = await aService();
    const moments = [...Array.from({ length: 150 }, (_, index) => index), 3, ...Array.from({ length: 90 }, () => 160)];
    for (const [index, moment] of moments.entries()) {
      const entry = { ...anEvent({ id: String(500 + index) }), type: "webhook.secret_read" } as const;
      await store.commit(auditCommit({ ...entry, occurredAt: FIXTURE_TIME + moment }));
    }
    const exported = await all(eventsOf(service, actor, new Date(FIXTURE_TIME + 1_000)));
    expect(exported.map(({ id }) => Number(id) - 500)).toEqual(moments.map((_, index) => index).reverse());
  });

  it("exports events up to the moment that is given", async () => {
    const { store, service } = await aService();
    await store.commit(
      auditCommit({ ...anEvent({ id: "500" }), type: "webhook.secret_read", occurredAt: FIXTURE_TIME }),
    );
    await store.commit(
      auditCommit({ ...anEvent({ id: "501" }), type: "webhook.secret_read", occurredAt: FIXTURE_TIME + 1 }),
    );
    expect((await all(eventsOf(service, actor, new Date(FIXTURE_TIME)))).map(({ id }) => id)).toEqual(["500"]);
  });
});

describe("the budgets of a business", () => {
  it("exports each budget whole, oldest first, over several pages", async () => {
    const { service } = await aService();
    const items = [{ description: "Chair", quantity: 1, unitPrice: 10 }];
    for (let number = 0; number < 230; number += 1) {
      await service.budgets.create(
        actor,
        { customerId: "ana", items, metadata: { number } },
        { now: FIXTURE_TIME + number },
      );
    }
    const found = await all(budgetsOf(service, actor));
    expect(found.map(({ metadata }) => metadata.number)).toEqual(Array.from({ length: 230 }, (_, number) => number));
  });
});

it("exports the messages of a budget oldest first, also those beyond a page", async () => {
  const { service } = await aService();
  const item = { description: "Oak table", quantity: 1, unitPrice: 450 };
  const { id } = (await service.budgets.create(actor, { customerId: "ana", items: [item] }))._unsafeUnwrap();
  const texts = Array.from({ length: 130 }, (_, index) => `message ${index}`);
  for (const message of texts) (await service.budgets.sendMessage(actor, id, { message }))._unsafeUnwrap();
  expect((await all(messagesOf(service, actor))).map(({ message }) => message)).toEqual(texts);
});
