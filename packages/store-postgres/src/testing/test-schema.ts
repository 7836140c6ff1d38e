import type { Store } from "@budgetkit/core/store";
import pg from "pg";
import { afterAll } from "vitest";
import { postgresStore } from "../index.js";
import { nameIn } from "../sql-names.js";

/** A schema of its own for a test file, on the server that all share. */
export interface TestSchema {
  readonly pool: pg.Pool;
  readonly url: string;
  readonly schema: string;
  /** A store in the schema, which is empty and up to date. */
  freshStore(): Promise<Store>;
  /** Another store on what the schema holds. */
  open(): Store;
  /** Runs a statement with names written as `@name`. */
  query(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
}

let made = 0;

/** To be called at the top of a test file; it is removed when the file's tests have ended. */
export function testSchema(): TestSchema {
  made += 1;
  const schema = `test_${process.pid}_${made}`;
  const url = process.env.TEST_DATABASE_URL ?? "";
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  const named = nameIn(schema);
  let tables: readonly string[] = [];

  const open = () => postgresStore(pool, { schema, clock: "caller", listen: false }); // many share the pool

  afterAll(async () => {
    await pool.query(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(schema)} CASCADE`);
    await pool.end();
  });

  async function clear(): Promise<void> {
    if (tables.length === 0) {
      const { rows } = await pool.query(
        "SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 AND tablename NOT IN ('migrations', 'ids')",
        [schema],
      );
      tables = rows.map(({ name }) => String(name));
    }
    await pool.query(tables.map((table) => named(`DELETE FROM @${table};`)).join(" "));
  }

  return {
    pool,
    url,
    schema,
    open,
    query: async (sql, values = []) => (await pool.query(named(sql), [...values])).rows,
    freshStore: async () => {
      const store = open();
      await store.migrate();
      await clear();
      return store;
    },
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
