import { afterAll, beforeAll } from "vitest";
import { PLACEMENTS } from "../distribution/placements.js";
import { nameIn } from "../engine/session.js";
import { postgresStore } from "../index.js";
import { urlOf } from "./copied-database.js";
import { runOn } from "./run-on.js";
import { testPool } from "./test-pool.js";
import { hostOn, type TestSchema } from "./test-schema.js";

/** The coordinator of a Citus with workers, whose databases have the extension; undefined = these tests are skipped. */
export const CITUS_URL = process.env.TEST_CITUS_URL;

/** For the title of a skipped suite. */
export const WITHOUT_CITUS = CITUS_URL === undefined ? " (skipped: TEST_CITUS_URL is not set)" : "";

const SCHEMA = "budgetkit";

const SERVER = CITUS_URL ?? "";

let made = 0;

export type CitusSchema = Pick<TestSchema, "pool" | "url" | "schema" | "host" | "open" | "query" | "freshStore">;

/** A distributed schema for a test file, in a database of its own. To be called at the top of a suite. */
export function citusSchema(): CitusSchema {
  made += 1;
  const name = `test_citus_${process.pid}_${made}`;
  const url = urlOf(name, SERVER);
  const pool = testPool({ connectionString: url, max: 8 });
  const named = nameIn(SCHEMA);
  const open = () => postgresStore(pool, { schema: SCHEMA, clock: "caller", listen: false, distributed: true });

  beforeAll(async () => {
    await createCitusDatabase(name);
    const store = open();
    await store.migrate();
    await store.close();
    await pool.query(named("CREATE TABLE @host_rows (name text)"));
    await pool.query(named(clearFunction()));
  });
  afterAll(async () => {
    await pool.end();
    await dropCitusDatabase(name);
  });

  return {
    pool,
    url,
    schema: SCHEMA,
    host: hostOn(pool, named),
    open,
    query: async (sql, values = []) => (await pool.query(named(sql), [...values])).rows,
    freshStore: async () => {
      await pool.query(named("SELECT @clear_for_test()"));
      return open();
    },
  };
}

/** An empty database. Returns its URL. Few shards: a test that empties all tables asks each of them. */
export async function createCitusDatabase(name: string): Promise<string> {
  await runOn(SERVER, `CREATE DATABASE ${name}`);
  await runOn(SERVER, `ALTER DATABASE ${name} SET citus.shard_count = 4`);
  return urlOf(name, SERVER);
}

/** The daemon of Citus may connect to a worker again while the database is dropped there. */
export async function dropCitusDatabase(name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runOn(SERVER, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      return;
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

const KEPT = ["migrations", "schema_functions", "ids", "copies"];

/** Empties the tables that have rows. */
function clearFunction(): string {
  const tables = [...Object.keys(PLACEMENTS).filter((table) => !KEPT.includes(table)), "host_rows"];
  const deletions = tables.map(
    (table) => `PERFORM 1 FROM @${table} LIMIT 1;
    IF FOUND THEN DELETE FROM @${table}; END IF;`,
  );
  return `CREATE FUNCTION @clear_for_test() RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    ${deletions.join("\n    ")}
    UPDATE @ids SET next = 1001, next_range = 1;
  END $$`;
}
