import { statSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { sqliteStore } from "../index.js";
import { temporaryFolder } from "../testing/temporary-folder.js";
import { requireWritable } from "./database.js";

const MIB = 1024 * 1024;

it("empties the write-ahead log that grew under a long reader once that has ended, and not before", async () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const path = folder.file("budgets.db");
  const store = sqliteStore(path);
  await store.migrate();
  const [reader, writer] = [new BetterSqlite3(path, { readonly: true }), new BetterSqlite3(path)];
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM budgetkit_budgets").get();
  writer.exec(`CREATE TABLE padding AS SELECT zeroblob(${20 * MIB}) AS bytes`);
  const logBytes = () => statSync(`${path}-wal`).size;

  await store.shrinkFiles?.();
  expect(logBytes()).toBeGreaterThan(20 * MIB);
  reader.exec("COMMIT");
  await store.shrinkFiles?.();
  expect(logBytes()).toBe(0);
  writer.close();
  reader.close();
  await store.close();
});

it("starts without waiting for a lock that a transaction of this process may hold", async () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const path = folder.file("budgets.db");
  const store = sqliteStore(path);
  await store.migrate();
  const holder = new BetterSqlite3(path);
  const starting = new BetterSqlite3(path, { timeout: 400_000 }); // longer than a test may take
  holder.exec("BEGIN IMMEDIATE");
  requireWritable(starting);
  expect(starting.pragma("busy_timeout", { simple: true })).toBe(400_000);
  holder.exec("ROLLBACK");
  for (const database of [holder, starting]) database.close();
  await store.close();
});
