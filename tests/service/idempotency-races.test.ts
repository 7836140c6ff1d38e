import { createBudgetService } from "@budgetkit/core";
import type { Store } from "@budgetkit/core/store";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { manualClock, memoryStore, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { testSchema } from "../../packages/store-postgres/src/testing/test-schema.js";

const PAYMENT = { amount: 1, reference: "transfer 4711" };
const BUDGET = { customerId: "c", items: [{ description: "a", quantity: 1, unitPrice: 1 }] };

/** A service whose next payment loses the race: `rival` commits between the decision and the write. */
async function world(store: Store) {
  let rival: (() => Promise<unknown>) | null = null;
  const racing: Store = {
    ...store,
    commit: async (commit) => {
      if (commit.writes.every(({ kind }) => kind !== "payment")) return store.commit(commit);
      const first = rival;
      rival = null;
      await first?.();
      return store.commit(commit);
    },
  };
  const secret = "a secret for tests that is long enough";
  const service = createBudgetService({ store: racing, secret, clock: manualClock(), random: seededRandom(3) });
  const { id: businessId } = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId } as const;
  const { key } = (await service.keys.create(actor, { name: "a", scopes: ["WRITE_BUDGETS"] }))._unsafeUnwrap();
  const budget = (await service.budgets.create(actor, BUDGET))._unsafeUnwrap();
  const pay = async (idempotencyKey: string) => {
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": idempotencyKey,
    };
    const url = `https://host.example/api/public/budgets/${budget.id}/payments`;
    const response = await service.fetch(new Request(url, { method: "POST", headers, body: JSON.stringify(PAYMENT) }));
    return { status: response.status, body: await response.text() };
  };
  const loseTo = (other: () => Promise<unknown>) => {
    rival = other;
  };
  return { pay, loseTo };
}

const schema = testSchema();
const stores: readonly (readonly [string, () => Promise<Store>])[] = [
  ["memory", async () => memoryStore()],
  ["SQLite", async () => sqliteStore(":memory:")],
  ["Postgres", () => schema.freshStore()],
];

describe.each(stores)("a payment that loses a race, on %s", (_name, open) => {
  it("a payment that loses a race is answered with the payment that won, and so is its repeat", async () => {
    const store = await open();
    const { pay, loseTo } = await world(store);
    let won: unknown;
    loseTo(async () => {
      won = await pay("winner");
    });
    const lost = await pay("loser");
    expect(won).toEqual({ status: 201, body: lost.body });
    expect(lost.status).toBe(200);
    expect(await pay("loser")).toEqual(lost);
    expect(await pay("winner")).toEqual(won);
    await store.close();
  });
});
