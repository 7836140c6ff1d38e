import { aBusiness, manualClock, memoryStore, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { insertBusinessCommit } from "./access/access-commits.js";
import { createBudgetService } from "./create-service.js";
import type { Store } from "./store.js";

const secret = "a secret of at least thirty-two characters";
const actor = { kind: "system", businessId: "1" } as const;
const input = { customerId: "c", items: [{ description: "Chair", quantity: 1, unitPrice: 10 }] };

/** A service on a store that may report lost commits. `forget` makes the store reserve all ids again. */
async function world() {
  const store = memoryStore();
  const { reserveIds } = store;
  const listeners = new Set<() => void>();
  let rewound: number | null = null; // the next id; null = as the store knows it
  const rewinding: Store = {
    ...store,
    reserveIds: async (businessId, count, above = 0) => {
      if (rewound === null) return reserveIds(businessId, count, above);
      const first = Math.max(rewound, above + 1);
      rewound = first + count;
      return first;
    },
    onLostCommits: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  await store.migrate();
  await store.commit(insertBusinessCommit(aBusiness()));
  const serviceOf = () =>
    createBudgetService({ store: rewinding, secret, clock: manualClock(), random: seededRandom(2) });
  const create = async (service: ReturnType<typeof serviceOf>) =>
    Number((await service.budgets.create(actor, input))._unsafeUnwrap().id);
  const forget = (next: number) => {
    rewound = next;
  };
  const lose = () => {
    for (const listener of listeners) listener();
  };
  return { store, serviceOf, create, lose, listeners, forget };
}

describe("a store that has lost commits", () => {
  it("continues with ids above all used ones when the store has lost commits", async () => {
    const { serviceOf, create, lose, forget } = await world();
    const service = serviceOf();
    const first = await create(service);
    forget(first);
    lose();
    const next = await create(service);
    expect(next - first).toBeGreaterThan(32); // its first block had 64
  });

  it("a stopped service listens for no losses, and a started one does again", async () => {
    const { serviceOf, create, lose, listeners, forget } = await world();
    for (let made = 0; made < 3; made += 1) await serviceOf().stop();
    expect(listeners.size).toBe(0);

    const service = serviceOf();
    const first = await create(service);
    await service.stop();
    forget(first); // commits are lost while nobody listens
    await service.start();
    await service.start();
    expect(listeners.size).toBe(1);
    const second = await create(service);
    expect(second - first).toBeGreaterThan(32); // its first block had 64

    forget(second);
    lose();
    expect((await create(service)) - second).toBeGreaterThan(32);
    await service.stop();
    expect(listeners.size).toBe(0);
  });

  it("draws another id for a creation when the drawn one exists, in process and over HTTP", async () => {
    const { serviceOf, create, forget } = await world();
    const service = serviceOf();
    const { key } = (await service.keys.create(actor, { name: "k", scopes: ["WRITE_BUDGETS"] }))._unsafeUnwrap();
    const first = await create(service);

    forget(first);
    const second = await create(serviceOf());
    expect(second).toBeGreaterThan(first);

    forget(first);
    const request = new Request("https://host.example/v1/api/public/budgets", {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "1" },
      body: JSON.stringify(input),
    });
    const response = await serviceOf().fetch(request);
    expect(response.status).toBe(201);
    const { data } = JSON.parse(await response.text());
    expect(Number(data.id)).toBeGreaterThan(second);
  });
});
