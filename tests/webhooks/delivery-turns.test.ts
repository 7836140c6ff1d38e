import { sqliteStore } from "@budgetkit/store-sqlite";
import { expect, it } from "vitest";
import { testSchema } from "../../packages/store-postgres/src/testing/test-schema.js";
import { memoryDatabase } from "../../packages/store-sqlite/src/testing/memory-database.js";

const postgres = testSchema();

/** A store, and a way to run statements on its tables by hand; `@` is the prefix of their names. */
async function openSqlite() {
  const database = memoryDatabase();
  const run = async (sql: string) => database.exec(sql.replaceAll("@", "budgetkit_"));
  const read = async (sql: string) => database.prepare(sql.replaceAll("@", "budgetkit_")).all();
  return { store: sqliteStore(database), run, read };
}

async function openPostgres() {
  const run = (sql: string) => postgres.query(sql);
  return { store: await postgres.freshStore(), run, read: run };
}

const COUNT = "SELECT count(*) AS notes, min(business_id) AS first, max(business_id) AS last FROM @delivery_turns";
const NOTES = `INSERT INTO @delivery_turns (business_id, subscriber_kind, subscriber_id, ordered_subject)
  WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 1200)
  SELECT 5000 - number, 'endpoint', 7, 'budget 3' FROM numbers`;

it.each([
  ["SQLite", openSqlite],
  ["PostgreSQL", openPostgres],
])("a claim on %s reads the thousand oldest notes of more businesses", async (_, open) => {
  const { store, run, read } = await open();
  await store.migrate();
  await run(NOTES);
  const lease = { token: "10d9c5a0-7d0b-4b58-8d13-3f0c6b6e0c11", until: 2_000 };
  const claim = () => store.claimDue({ lease, now: 1_000, limit: 9, perBusiness: 9, perSubscriber: 9, inFlight: [] });
  await claim();
  const [left] = await read(COUNT);
  expect(Object.values(Object(left)).map(Number)).toEqual([200, 3_800, 3_999]);
  expect(await store.nextDueAt()).toBe(0);
  await claim();
  expect(await store.nextDueAt()).toBe(null);
});
