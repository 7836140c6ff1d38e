import { createBudgetService } from "@budgetkit/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sqliteStore } from "../index.js";
import { nodeSqliteHere } from "../testing/node-sqlite-here.js";
import { inMemoryFolder, type TemporaryFolder } from "../testing/temporary-folder.js";
import { adaptNodeSqlite, isNodeSqlite, type NodeSqliteDatabase } from "./node-sqlite.js";

describe.skipIf(nodeSqliteHere === null)("a DatabaseSync of the caller (Node 22.16 and later)", () => {
  let folder: TemporaryFolder;

  beforeEach(() => {
    folder = inMemoryFolder();
  });
  afterEach(() => folder.remove());

  function opened(path = folder.file("budgets.db")): NodeSqliteDatabase {
    if (nodeSqliteHere === null) throw new Error("this Node has no node:sqlite");
    return new nodeSqliteHere.DatabaseSync(path, { readOnly: false, timeout: 20 });
  }

  const items = [{ description: "Oak table", quantity: 1, unitPrice: 450 }];

  it("a DatabaseSync of the caller holds a store, and another one the host's transactions", async () => {
    const [database, host] = [opened(), opened()];
    const service = createBudgetService({
      store: sqliteStore(database, { limiter: "memory" }),
      secret: "a secret of at least thirty-two characters",
    });
    const { id: businessId } = (await service.businesses.create({ name: "Carpentry" }))._unsafeUnwrap();
    const actor = { kind: "system", businessId } as const;
    for (const end of ["ROLLBACK", "COMMIT"]) {
      host.exec("BEGIN IMMEDIATE");
      await service.budgets.create(actor, { customerId: "ana", items }, { connection: host });
      host.exec(end);
    }
    expect((await service.budgets.list(actor, {}))._unsafeUnwrap().pagination.total).toBe(1);
    await service.stop();
    expect(database.isOpen).toBe(true);
    database.close();
    host.close();
  });

  it("adapts a DatabaseSync to the same database each time, with a name, and closes it repeatedly", () => {
    const database = opened();
    const adapter = adaptNodeSqlite(database);
    expect(adaptNodeSqlite(database)).toBe(adapter);
    expect([adapter.name.endsWith("/budgets.db"), adapter.memory, isNodeSqlite(adapter)]).toEqual([true, false, true]);
    adapter.close();
    adapter.close();
    expect(() => adapter.prepare("SELECT 1")).toThrow("The database connection is not open");
  });

  it.skipIf(process.env.TEST_SQLITE_DRIVER === "node:sqlite")(
    "refuses a DatabaseSync for the transactions of a store on better-sqlite3, which would lose its locks",
    async () => {
      const store = sqliteStore(folder.file("budgets.db"));
      await store.migrate();
      const host = opened();
      host.exec("BEGIN IMMEDIATE");
      expect(() => store.withConnection(host)).toThrow("connection is of node:sqlite, the store of better-sqlite3");
      host.exec("ROLLBACK");
      host.close();
      await store.close();
    },
  );
});
