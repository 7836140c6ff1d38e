import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, it } from "vitest";
import { postgresStore } from "../index.js";

/** Calls whose plans no test looks at, and why. */
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
  insertBusiness: "only adds",
  replaceBusiness: "one row",
  appendAudit: "only adds",
  readLedger: "a range of the primary key",
  findLedgerBounds: "rows of primary keys, and the first of the index of waiting events",
  pruneLedger: "a range of the primary key",
  findUnsignedBeginnings: "rows of former releases, once after an upgrade",
  signBeginning: "one row",
  queueMail: "the statements of replaceBudget, and two that only add",
  settleMail: "one row",
  settleReminderCheck: "one row",
  setReminderOptOut: "one row",
  findReminderOptOut: "one row",
  findReplay: "one row",
  findRunningReplays: "a few rows",
  writeReplay: "one row; its deliveries are only added",
  countUnfinished: "the rows that a cancellation finds",
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

it("a test looks at the plans of every call of the store, or a reason is listed", () => {
  const calls = Object.entries(postgresStore(pool)).filter(([, call]) => typeof call === "function");
  const asked = callsIn(planTests());
  expect(
    calls
      .map(([name]) => name)
      .filter((name) => !asked.has(name))
      .sort(),
  ).toEqual(Object.keys(LEFT_OUT).sort());
});

/** The tests of plans in every folder of the store. */
function planTests(): string[] {
  const sources = join(import.meta.dirname, "..");
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" });
  return files.filter((name) => name.endsWith("-query-plans.test.ts")).map((name) => join(sources, name));
}

function callsIn(files: readonly string[]): ReadonlySet<string> {
  const texts = files.map((path) => readFileSync(path, "utf8"));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/\bstore\.(\w+)(?:\?\.)?\(/g)].map(([, name]) => name ?? "")),
  );
}
