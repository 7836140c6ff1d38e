import type { Budget } from "@budgetkit/core/store";
import { aBudget, FIXTURE_TIME as NOW } from "@budgetkit/core/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sqliteStore } from "./index.js";
import { migrate } from "./migrations.js";
import { REVISION_MIGRATION } from "./revision-schema.js";
import { MIGRATIONS } from "./schema.js";

describe("a database from before revisions", () => {
  let database: BetterSqlite3.Database;

  beforeEach(() => {
    database = new BetterSqlite3(":memory:");
    migrate(
      database,
      MIGRATIONS.filter(({ version }) => version < REVISION_MIGRATION.version),
    );
  });

  afterEach(() => {
    database.close();
  });

  function addFormer(budget: Budget): void {
    const { revision: _revision, revised: _revised, ...former } = budget;
    database
      .prepare(
        `INSERT INTO budgetkit_budgets
           (business_id, id, version, status, customer_id, currency, total, created_at, search_text, document)
         VALUES (1, ?, ?, ?, '500', 'USD', 121, ?, '', ?)`,
      )
      .run(budget.id, budget.version, budget.status, budget.createdAt, JSON.stringify(former));
  }

  it("keeps its budgets as they were, at their first revision", async () => {
    const mark = { at: NOW + 5, by: 'customer:ñ "quoted" 🪑 \\', changes: [] };
    const made = { createdAt: mark.at, createdBy: mark.by, version: 7 };
    const waiting = aBudget({ ...made, id: "10", revised: { ...mark, asked: true } });
    const draft = aBudget({ ...made, id: "11", status: "DRAFT", revised: { ...mark, asked: false } });
    const deletion = { deletedAt: NOW + 6, from: "DRAFT" } as const;
    const deleted = aBudget({ ...draft, id: "12", status: "DELETED", deletion });
    for (const former of [waiting, draft, deleted]) addFormer(former);
    const store = sqliteStore(database);
    await store.migrate();
    expect(await store.findBudget("1", "10")).toEqual(waiting);
    expect(await store.findRevision("1", "10", 1)).toEqual(waiting);
    expect(await store.findBudget("1", "11")).toEqual(draft);
    expect(await store.findBudget("1", "12")).toEqual(deleted);
    expect((await store.listRevisions("1", "11", 10, 0)).total).toBe(1);
  });

  it("keeps them as revisions when they are revised", async () => {
    addFormer(aBudget());
    const store = sqliteStore(database);
    await store.migrate();
    const next = aBudget({ version: 2, revision: 2, notes: "changed" });
    expect(await store.replaceBudget(next, 1, [], null)).toBe("written");
    expect((await store.findRevision("1", "10", 1))?.notes).toBeNull();
    expect((await store.findRevision("1", "10", 2))?.notes).toBe("changed");
  });
});
