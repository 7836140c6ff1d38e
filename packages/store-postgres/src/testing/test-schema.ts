import { setTimeout } from "node:timers/promises";
import type { Store } from "@budgetkit/core/store";
import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { nameIn } from "../engine/session.js";
import { postgresStore } from "../index.js";
import { copyDatabase, copyOfTemplate, dropDatabase, urlOf } from "./copied-database.js";
import { testPool } from "./test-pool.js";

/** A schema for a test file alone, on the server that all share. */
export interface TestSchema {
  readonly pool: pg.Pool;
  readonly url: string;
  readonly schema: string;
  /** A store in the schema, which is empty and up to date. */
  freshStore(): Promise<Store>;
  /** Another store on what the schema holds. */
  open(): Store;
  /** An application with a table of its own beside the schema. */
  readonly host: ReturnType<typeof hostOn>;
  /** Runs a statement with names written as `@name`. */
  query(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  /**
   * Vacuums and analyzes tables until all their pages are visible. One VACUUM is not enough while a transaction of another
   * test is open, and plans depend on it: an index-only scan of pages that are not visible costs more.
   */
  vacuum(...tables: readonly string[]): Promise<void>;
}

let made = 0;

const DEFAULT_SCHEMA = "budgetkit";

/**
 * To be called at the top of a test file. The schema is migrated, in a database of its own that is a copy; with `isMissing`
 * it does not exist, and has a name of its own in the database that all share. It is removed when the file's tests have
 * ended.
 */
export function testSchema({ isMissing = false } = {}): TestSchema {
  made += 1;
  const name = `test_schema_${process.pid}_${made}`;
  const schema = isMissing ? name : DEFAULT_SCHEMA;
  const url = isMissing ? (process.env.TEST_DATABASE_URL ?? "") : urlOf(name);
  const pool = testPool({ connectionString: url, max: 8 });
  const named = nameIn(schema);
  let prepared: Promise<void> | null = isMissing ? null : Promise.resolve();

  const open = () => postgresStore(pool, { schema, clock: "caller", listen: false }); // many share the pool

  if (!isMissing) beforeAll(() => copyOfTemplate(name, PREPARED));
  afterAll(async () => {
    if (isMissing) await pool.query(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(schema)} CASCADE`);
    await pool.end();
    if (!isMissing) await dropDatabase(name);
  });

  return {
    pool,
    url,
    host: hostOn(pool, named),
    schema,
    open,
    query: async (sql, values = []) => (await pool.query(named(sql), [...values])).rows,
    vacuum: async (...names) => {
      const tables = names.map((name) => named(`@${name}`));
      const areVisible =
        "SELECT bool_and(relallvisible >= relpages) AS done FROM pg_class WHERE oid = ANY ($1::text[]::regclass[])";
      for (;;) {
        await pool.query(`VACUUM ANALYZE ${tables.join(", ")}`);
        const { rows } = await pool.query(areVisible, [tables]);
        if (rows[0]?.done === true) return;
        await setTimeout(20);
      }
    },
    freshStore: async () => {
      const store = open();
      prepared ??= prepare(pool, schema);
      await prepared;
      await pool.query(named("SELECT @clear_for_test()"));
      return store;
    },
  };
}

/** Migrates the schema, and adds the host's table and the function that empties all tables. */
async function prepare(pool: pg.Pool, schema: string): Promise<void> {
  const named = nameIn(schema);
  const store = postgresStore(pool, { schema, listen: false });
  await store.migrate();
  await store.close();
  await pool.query(named("CREATE TABLE IF NOT EXISTS @host_rows (name text)"));
  const { rows } = await pool.query(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 AND tablename NOT IN ('migrations', 'schema_functions', 'ids')",
    [schema],
  );
  await pool.query(named(clearFunction(rows.map(({ name }) => String(name)))));
}

const PREPARED = {
  name: "prepared",
  fill: async (url: string) => {
    const pool = testPool({ connectionString: url, max: 1 });
    await prepare(pool, DEFAULT_SCHEMA);
    await pool.end();
  },
};

/** A table that has grown beyond this is truncated: what is deleted stays in the way of every later scan. */
const LARGE_BYTES = 2 ** 18;

/**
 * Empties tables. A function keeps the plans of its statements, which take longer to plan than to run, and a table without
 * rows runs no trigger.
 */
function clearFunction(tables: readonly string[]): string {
  const statements = tables.map(
    (table) => `IF EXISTS (SELECT FROM @${table}) THEN
      IF pg_relation_size('@${table}') > ${LARGE_BYTES} THEN TRUNCATE @${table}; ELSE DELETE FROM @${table}; END IF;
    END IF;`,
  );
  return `CREATE OR REPLACE FUNCTION @clear_for_test() RETURNS void LANGUAGE plpgsql AS $$
    BEGIN ${statements.join(" ")} UPDATE @ids SET next = 1001, next_range = 1; END $$`;
}

/** An application with a table of its own, which takes a client for each transaction. */
export function hostOn(pool: pg.Pool, named: (sql: string) => string) {
  return {
    begin: async () => {
      const client = await pool.connect();
      await client.query("BEGIN");
      const end = async (how: string) => {
        await client.query(how);
        client.release();
      };
      return {
        connection: client,
        write: async (row: string) => void (await client.query(named("INSERT INTO @host_rows VALUES ($1)"), [row])),
        commit: () => end("COMMIT"),
        rollback: () => end("ROLLBACK"),
      };
    },
    rows: async () => (await pool.query(named("SELECT name FROM @host_rows"))).rows.map(({ name }) => String(name)),
  };
}

/** A store that can be copied once it is closed. */
export interface FilledStore {
  readonly store: Store;
  /** Another store with the same rows. */
  copy(): Promise<Store>;
}

/** Stores in databases of their own, for tests that need several at once. */
export function testStores(): { open(): Promise<FilledStore> } {
  const pools: pg.Pool[] = [];
  const names: string[] = [];

  afterAll(async () => {
    for (const pool of pools) if (!pool.ended) await pool.end();
    for (const name of names) await dropDatabase(name);
  });

  function newName(): string {
    made += 1;
    const name = `test_schema_${process.pid}_${made}`;
    names.push(name);
    return name;
  }

  function openIn(name: string): { store: Store; pool: pg.Pool } {
    const pool = testPool({ connectionString: urlOf(name), max: 8 });
    pools.push(pool);
    return { pool, store: postgresStore(pool, { schema: DEFAULT_SCHEMA, clock: "caller", listen: false }) };
  }

  return {
    open: async () => {
      const name = newName();
      await copyOfTemplate(name, PREPARED);
      const { store, pool } = openIn(name);
      return {
        store,
        copy: async () => {
          if (!pool.ended) await pool.end();
          const copied = newName();
          await copyDatabase(copied, name);
          return openIn(copied).store;
        },
      };
    },
  };
}
