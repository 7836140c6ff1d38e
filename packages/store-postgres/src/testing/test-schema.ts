import { setTimeout } from "node:timers/promises";
import type { Store } from "@budgetkit/core/store";
import pg from "pg";
import { afterAll } from "vitest";
import { nameIn } from "../engine/session.js";
import { postgresStore } from "../index.js";

/** A schema of its own for a test file, on the server that all share. */
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

/** To be called at the top of a test file; it is removed when the file's tests have ended. */
export function testSchema(): TestSchema {
  made += 1;
  const schema = `test_${process.pid}_${made}`;
  const url = process.env.TEST_DATABASE_URL ?? "";
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  const named = nameIn(schema);
  let prepared: Promise<void> | null = null; // once: a migration that finds nothing to do takes longer than most tests

  const open = () => postgresStore(pool, { schema, clock: "caller", listen: false }); // many share the pool

  afterAll(async () => {
    await pool.query(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(schema)} CASCADE`);
    await pool.end();
  });

  async function prepare(store: Store): Promise<void> {
    await store.migrate();
    await pool.query(named("CREATE TABLE IF NOT EXISTS @host_rows (name text)"));
    const { rows } = await pool.query(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 AND tablename NOT IN ('migrations', 'schema_functions', 'ids')",
      [schema],
    );
    await pool.query(named(clearFunction(rows.map(({ name }) => String(name)))));
  }

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
      prepared ??= prepare(store);
      await prepared;
      await pool.query(named("SELECT @clear_for_test()"));
      return store;
    },
  };
}

/**
 * Empties tables. A function keeps the plans of its statements, which take longer to plan than to run, and a table without
 * rows runs no trigger.
 */
function clearFunction(tables: readonly string[]): string {
  const statements = tables.map((table) => `IF EXISTS (SELECT FROM @${table}) THEN DELETE FROM @${table}; END IF;`);
  return `CREATE OR REPLACE FUNCTION @clear_for_test() RETURNS void LANGUAGE plpgsql AS $$
    BEGIN ${statements.join(" ")} UPDATE @ids SET next = 1001, next_range = 1; END $$`;
}

/** An application with a table of its own, which takes a client for each transaction. */
function hostOn(pool: pg.Pool, named: (sql: string) => string) {
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

/** Stores in schemas of their own, for tests that need several at once. */
export function testSchemas(): { open(): Store } {
  const pool = new pg.Pool({ connectionString: process.env.TEST_DATABASE_URL ?? "", max: 8 });
  const schemas: string[] = [];

  afterAll(async () => {
    for (const schema of schemas) await pool.query(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(schema)} CASCADE`);
    await pool.end();
  });

  return {
    open: () => {
      made += 1;
      const schema = `test_${process.pid}_${made}`;
      schemas.push(schema);
      return postgresStore(pool, { schema, clock: "caller", listen: false });
    },
  };
}
