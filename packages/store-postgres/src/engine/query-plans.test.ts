import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as core from "@budgetkit/core/store";
import pg from "pg";
import { afterAll, expect, it } from "vitest";
import { postgresStore } from "../index.js";

/** Calls, and commits by their builders, whose plans no test looks at, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  consume: "limits are looked at by their functions",
  countConsumed: "limits are looked at by their functions",
  pruneWindows: "limits are looked at by their functions",
  reserveIds: "one row",
  hasUsers: "the first row, once a start",
  measureStorage: "one row",
  reserveBusinessId: "one row",
  listSigningKeys: "a few rows, along the primary key",
  insertSigningKey: "only adds",
  insertBusinessCommit: "only adds",
  replaceBusinessCommit: "one row",
  sendMessageCommit: "a count along the primary key, and one row that is added",
  queueMailCommit: "the statements of replaceBudgetCommit, and two that only add",
  reminderOptOutCommit: "one row",
  readLedger: "a range of the primary key",
  findLedgerBounds: "rows of primary keys, and the first of the index of waiting events",
  pruneLedger: "a range of the primary key",
  findUnsignedBeginnings: "rows of former releases, once after an upgrade",
  signBeginning: "one row",
  settleMail: "one row",
  settleReminderCheck: "one row",
  findReminderOptOut: "one row",
  findReplay: "one row",
  findRunningReplays: "a few rows",
  writeReplay: "one row; its deliveries are only added",
  countUnfinished: "the rows that a cancellation finds",
  listViewings: "at most a hundred rows, along the primary key",
  sumViews: "one row for each budget of a page",
  sumSales: "a range of the primary key, and the overdue budgets along their index",
  sumOpen: "a few rows of the primary key, and budgets along the index of what expires",
  withConnection: "the same statements",
  onWork: "no statement",
  onLostCommits: "no statement",
  migrate: "once a start",
  pendingMigrations: "once a start",
  findOutage: "one row",
  readClock: "no table",
  close: "no statement",
};

const pool = new pg.Pool();
afterAll(() => pool.end());

it("every call and every commit of the store has its plans looked at by a test, or a reason why not", () => {
  const store = postgresStore(pool);
  const calls = [...functionsIn(store), ...functionsIn(core).filter((name) => name.endsWith("Commit"))];
  const asked = callsIn(planTests());
  expect(calls.filter((name) => !asked.has(name)).sort()).toEqual(Object.keys(LEFT_OUT).sort());
});

function functionsIn(module: object): readonly string[] {
  return Object.entries(module).flatMap(([name, value]) => (typeof value === "function" ? [name] : []));
}

/** The tests of plans in every folder of the store. */
function planTests(): string[] {
  const sources = join(import.meta.dirname, "..");
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" });
  return files.filter((name) => name.endsWith("-query-plans.test.ts")).map((name) => join(sources, name));
}

function callsIn(files: readonly string[]): ReadonlySet<string> {
  const texts = files.map((path) => readFileSync(path, "utf8"));
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/\bstore\.(\w+)(?:\?\.)?\(|\b(\w+Commit)\(/g)].map(
        ([, call, builder]) => call ?? builder ?? "",
      ),
    ),
  );
}
