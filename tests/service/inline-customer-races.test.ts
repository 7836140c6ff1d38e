import { type BudgetService, createBudgetService } from "@budgetkit/core";
import type { Store } from "@budgetkit/core/store";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { manualClock, memoryStore, seededRandom } from "@budgetkit/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { testSchema } from "../../packages/store-postgres/src/testing/test-schema.js";
import { inMemoryFolder } from "../../packages/store-sqlite/src/testing/temporary-folder.js";

const CALLS = 12; // to each service
const items = [{ description: "Oak table", quantity: 1, unitPrice: 450 }];

/** Two stores on the same data, as two processes have them. */
type OpenBoth = () => Promise<readonly [Store, Store]>;

const schema = testSchema();
const stores: readonly (readonly [string, OpenBoth])[] = [
  [
    "memory",
    async () => {
      const store = memoryStore();
      return [store, store];
    },
  ],
  [
    "SQLite",
    async () => {
      const folder = inMemoryFolder();
      onTestFinished(() => folder.remove());
      const [one, other] = [sqliteStore(folder.file("budgets.db")), sqliteStore(folder.file("budgets.db"))];
      await one.migrate();
      return [one, other];
    },
  ],
  ["PostgreSQL", async () => [await schema.freshStore(), schema.open()]],
];

function serviceOn(store: Store, seed: number): BudgetService {
  const secret = "a secret for tests that is long enough";
  return createBudgetService({ store, secret, clock: manualClock(), random: seededRandom(seed) });
}

/** The result of each call, from both services at the same time. */
async function fromBoth<T>(
  services: readonly [BudgetService, BudgetService],
  call: (on: BudgetService) => Promise<T>,
): Promise<T[]> {
  return Promise.all(
    Array.from({ length: 2 * CALLS }, (_, index) => call(index % 2 === 0 ? services[0] : services[1])),
  );
}

describe.each(stores)("inline customers of two services at the same time, on %s", (_name, open) => {
  it(`one of ${2 * CALLS} budgets for a new email creates the customer, and all are for it`, async () => {
    const [one, other] = await open();
    onTestFinished(async () => void (await Promise.all([one.close(), other.close()])));
    const services = [serviceOn(one, 3), serviceOn(other, 4)] as const;
    const [service] = services;
    const { id: businessId } = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const actor = { kind: "system", businessId } as const;
    for (const email of ["ana@example.org", "BRUNO@example.org"]) {
      const customer = { name: "Ana", email };
      const made = await fromBoth(services, (on) => on.budgets.create(actor, { customer, items }));
      const ids = new Set(made.map((each) => each._unsafeUnwrap().customerId));
      expect(ids.size).toBe(1);
    }
    const { data, pagination } = (await service.customers.list(actor))._unsafeUnwrap();
    expect(data.map(({ email }) => email).sort()).toEqual(["BRUNO@example.org", "ana@example.org"]);
    expect(pagination.total).toBe(2);
    const created = await service.events.list(actor, { event: "customer.created" });
    expect(created._unsafeUnwrap().pagination.total).toBe(2);
    const budgets = await service.events.list(actor, { event: "budget.created" });
    expect(budgets._unsafeUnwrap().pagination.total).toBe(4 * CALLS);
  });
});
