import { aBudget, aBudgetQuery, anItem, aPayment } from "@budgetkit/core/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sqliteStore } from "./index.js";
import { migrate } from "./migrations.js";
import { MIGRATIONS } from "./schema.js";

const ODD = aBudget({
  notes: 'ñ "quoted" 🪑 \\ \u2028 </b>',
  items: [anItem({ quantity: 1e-6, unitPrice: 9_007_199_254.740992, total: Number.MAX_SAFE_INTEGER })],
  metadata: { "": [null, true, 1e21, -0.1, {}], paid: 7, "a.b[0]": { acceptance: "x" } },
  publicOffer: { sellerId: "7", issueDate: 0, minimumPaymentToConfirm: 10_000 },
});

describe("a database from before payments", () => {
  let database: BetterSqlite3.Database;

  beforeEach(() => {
    database = new BetterSqlite3(":memory:");
    migrate(
      database,
      MIGRATIONS.filter(({ version }) => version < 6),
    );
  });

  afterEach(() => {
    database.close();
  });

  it("keeps its budgets as they were, with nothing paid and no acceptance, and takes payments for them", async () => {
    const { paid: _paid, acceptance: _acceptance, ...former } = ODD;
    database
      .prepare(
        `INSERT INTO budgetkit_budgets
           (business_id, id, version, status, customer_id, currency, total, created_at, search_text, document)
         VALUES (1, 10, 1, 'PENDING', '500', 'USD', 121, ?, '', ?)`,
      )
      .run(ODD.createdAt, JSON.stringify(former));
    database.exec("INSERT INTO budgetkit_budget_counts (business_id, status, n) VALUES (1, 'PENDING', 1)");
    const store = sqliteStore(database);
    await store.migrate();
    expect(await store.findBudget("1", "10")).toEqual(ODD);
    expect((await store.listBudgets("1", aBudgetQuery())).entries).toEqual([ODD]);
    const paid = { ...ODD, version: 2, paid: 5_000 };
    expect(await store.recordPayment(aPayment(), paid, 1, [], null)).toBe("written");
    expect(await store.findBudget("1", "10")).toEqual(paid);
  });
});
