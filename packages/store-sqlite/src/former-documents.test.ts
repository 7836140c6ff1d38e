import { type BudgetServiceOptions, createBudgetService } from "@budgetkit/core";
import { manualClock } from "@budgetkit/testing";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { sqliteStore } from "./index.js";
import { inMemoryFolder } from "./testing/temporary-folder.js";
import { unreleasedDatabase } from "./testing/unreleased-database.js";

type Rounding = NonNullable<BudgetServiceOptions["rounding"]>;

async function opened(path: string, rounding: Rounding) {
  const store = sqliteStore(path);
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const service = createBudgetService({ store, rounding, clock, secret: "a secret for tests that is long enough" });
  await service.start();
  const close = async () => {
    await service.stop();
    await store.close();
  };
  return { service, close };
}

/** Runs `body` with a service of this rounding on the file. */
async function withService<T>(
  path: string,
  rounding: Rounding,
  body: (service: Awaited<ReturnType<typeof opened>>["service"]) => Promise<T>,
): Promise<T> {
  const { service, close } = await opened(path, rounding);
  try {
    return await body(service);
  } finally {
    await close();
  }
}

function databaseFile(): string {
  const folder = inMemoryFolder();
  onTestFinished(folder.remove);
  return folder.file("b.db");
}

/** The price of half a minor unit: 0.13 by half-up, 0.12 by half-even. */
const HALF = { description: "Screw", quantity: 1, unitPrice: 0.125 };
const SYSTEM = { kind: "system", businessId: "" } as const;

/** A file with a business and a budget of half-even. */
async function fileOfHalfEven() {
  const path = databaseFile();
  const made = await withService(path, "half-even", async (service) => {
    const { id: businessId } = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const actor = { ...SYSTEM, businessId };
    const content = { customerId: "ana", items: [HALF, HALF], taxRate: 0.21 };
    const { id, items } = (await service.budgets.create(actor, content))._unsafeUnwrap();
    return { actor, id, itemIds: items.map((item) => item.id) };
  });
  return { path, ...made };
}

interface FormerBudget {
  readonly id: string;
  readonly business: string;
  readonly document: string;
}

describe("Budgets of a former release", () => {
  it("a budget of a former database is read with the figures that it has", async () => {
    const path = databaseFile();
    const database = unreleasedDatabase(path);
    const rows = database
      .prepare<[], FormerBudget>("SELECT id, business_id AS business, document FROM budgetkit_budgets")
      .all();
    database.close();
    expect(rows.length).toBeGreaterThan(0);
    for (const rounding of ["half-up", "half-even"] as const) {
      await withService(path, rounding, async (service) => {
        for (const { id, business, document } of rows) {
          const stored = JSON.parse(document);
          if (stored.deletion !== null) continue;
          const read = await service.budgets.get({ ...SYSTEM, businessId: String(business) }, String(id));
          const { subtotal, discount, tax, total } = read._unsafeUnwrap();
          const minor = [subtotal, discount, tax, total].map((amount) => Math.round(amount * 100));
          expect(minor).toEqual([stored.subtotal, stored.discount, stored.tax, stored.total]);
          for (const field of ["taxes", "payable", "deposit", "balance", "recurring", "cost", "margin"]) {
            expect(read._unsafeUnwrap()).not.toHaveProperty(field);
          }
        }
      });
    }
  });

  it("a budget keeps the rounding by which it was made when the option changes, and so does its duplicate", async () => {
    const { path, actor, id, itemIds } = await fileOfHalfEven();
    await withService(path, "half-up", async ({ budgets }) => {
      expect((await budgets.get(actor, id))._unsafeUnwrap().subtotal).toBe(0.24);
      const items = [{ id: itemIds[0], description: "Screw, long" }, { id: itemIds[1] }, HALF];
      expect((await budgets.update(actor, id, { items }))._unsafeUnwrap().subtotal).toBe(0.36);
      const copy = (await budgets.duplicate(actor, id))._unsafeUnwrap();
      const [first] = copy.items;
      const alone = [{ id: first?.id, unitPrice: 0.125, quantity: 3 }, HALF];
      expect((await budgets.update(actor, copy.id, { items: alone }))._unsafeUnwrap().subtotal).toBe(0.5);
      const fresh = (await budgets.create(actor, { customerId: "ana", items: [HALF] }))._unsafeUnwrap();
      expect(fresh.subtotal).toBe(0.13);
    });
  });

  it("a budget without a recorded rounding keeps its figures, and a new line of it follows the option", async () => {
    const { path, actor, id, itemIds } = await fileOfHalfEven();
    const database = new BetterSqlite3(path);
    onTestFinished(() => void database.close());
    const former = database
      .prepare(
        "UPDATE budgetkit_budgets SET document = json_remove(document, '$.pricing') WHERE document LIKE '%pricing%'",
      )
      .run();
    expect(former.changes).toBe(1);
    await withService(path, "half-up", async ({ budgets }) => {
      expect((await budgets.get(actor, id))._unsafeUnwrap().subtotal).toBe(0.24);
      expect((await budgets.update(actor, id, { notes: "Galvanized" }))._unsafeUnwrap().subtotal).toBe(0.24);
      const items = [{ id: itemIds[0] }, { id: itemIds[1] }, HALF];
      expect((await budgets.update(actor, id, { items }))._unsafeUnwrap().subtotal).toBe(0.37);
    });
    await withService(path, "half-even", async ({ budgets }) => {
      const read = (await budgets.get(actor, id))._unsafeUnwrap();
      expect(read.subtotal).toBe(0.37);
      const items = [...read.items.map((item) => ({ id: item.id })), HALF];
      expect((await budgets.update(actor, id, { items }))._unsafeUnwrap().subtotal).toBe(0.5);
    });
  });
});
