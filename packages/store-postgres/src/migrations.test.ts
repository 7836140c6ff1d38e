import { StoreUnavailable } from "@budgetkit/core/store";
import { aBudget } from "@budgetkit/core/testing";
import pg from "pg";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { postgresStore } from "./index.js";
import { isCurrent, type Migration, migrate } from "./migrations.js";
import { sessionOn } from "./session.js";

const FIRST: Migration = { version: 1, sql: "CREATE TABLE @a (x integer);" };
const SECOND: Migration = { version: 2, sql: "CREATE TABLE @b (x integer);" };
const STARTERS = 16;
const ROUNDS = 50;

describe("migrating a schema", () => {
  const connectionString = process.env.TEST_DATABASE_URL ?? "";
  const pool = new pg.Pool({ connectionString, max: 4 });
  const schema = `Migrated "${process.pid}"`; // a name that has to be quoted

  afterEach(async () => {
    await pool.query(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(schema)} CASCADE`);
  });

  afterAll(() => pool.end());

  async function tables(): Promise<string[]> {
    const { rows } = await pool.query(
      "SELECT tablename FROM pg_tables WHERE schemaname = $1 AND tablename <> 'migrations' ORDER BY 1",
      [schema],
    );
    return rows.map(({ tablename }) => String(tablename));
  }

  it("applies what is missing, in order and once", async () => {
    await migrate(pool, schema, [FIRST]);
    await migrate(pool, schema, [FIRST, SECOND]);
    await migrate(pool, schema, [FIRST, SECOND]);
    expect(await tables()).toEqual(["a", "b"]);
  });

  it("applies all of the missing steps or none", async () => {
    const failing: Migration = { version: 2, sql: "CREATE TABLE @a (x integer);" };
    await expect(migrate(pool, schema, [FIRST, failing])).rejects.toThrow("already exists");
    expect(await tables()).toEqual([]);
    await migrate(pool, schema, [FIRST, SECOND]);
    expect(await tables()).toEqual(["a", "b"]);
  });

  it("waits for a step, and for who is at it, longer than the pool waits for other answers", async () => {
    const slow: Migration = { version: 1, sql: "SELECT pg_sleep(1.5); CREATE TABLE @a (x integer);" };
    const hurried = new pg.Pool({ connectionString, max: 2, query_timeout: 1_000, statement_timeout: 1_000 });
    try {
      await Promise.all([migrate(hurried, schema, [slow]), migrate(hurried, schema, [slow])]);
      expect(await tables()).toEqual(["a"]);
    } finally {
      await hurried.end();
    }
  });

  it("refuses a schema that is newer than the package", async () => {
    await migrate(pool, schema, [FIRST, SECOND]);
    await expect(migrate(pool, schema, [FIRST])).rejects.toThrow("is at version 2, newer than this release");
  });

  it("refuses a step that has changed since it was applied", async () => {
    await migrate(pool, schema, [FIRST]);
    const changed = { version: 1, sql: "CREATE TABLE @a (x text);" };
    await expect(migrate(pool, schema, [changed, SECOND])).rejects.toThrow("was applied with other contents");
    expect(await tables()).toEqual(["a"]);
  });

  it("uses a schema that is there already, for which no right to make schemas is needed", async () => {
    const role = `migrator_${process.pid}`;
    const name = pg.escapeIdentifier(schema);
    await pool.query(`CREATE ROLE ${role} LOGIN; CREATE SCHEMA ${name} AUTHORIZATION ${role}`);
    const limited = new pg.Pool({ connectionString: connectionString.replace("postgres@", `${role}@`) });
    try {
      const store = postgresStore(limited, { schema });
      await store.migrate();
      expect(await store.insertBudget(aBudget(), [], null)).toBe("written");
      await store.close();
    } finally {
      await limited.end();
      await pool.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
    }
  });

  it("leaves a store with a newer schema unready, says so to an operator, and goes on where it was in use", async () => {
    const store = postgresStore(pool, { schema });
    await store.migrate();
    await pool.query(`INSERT INTO ${pg.escapeIdentifier(schema)}.migrations VALUES (9999, 'of a later release')`);
    expect(await store.isReady()).toBe(false);
    await expect(store.migrate()).rejects.toThrow("update the package");
    expect(await store.insertBudget(aBudget(), [], null)).toBe("written");
    await store.close();
  });

  it("rejects with StoreUnavailable when there is no server", async () => {
    const store = postgresStore("postgres://postgres@127.0.0.1:1/postgres");
    await expect(store.migrate()).rejects.toThrow(StoreUnavailable);
    expect(await store.isReady()).toBe(false);
    await store.close();
  });

  it("refuses a database whose transactions do not see what others have committed", async () => {
    const options = "-c default_transaction_isolation=serializable";
    const strict = new pg.Pool({ connectionString, options });
    const store = postgresStore(strict, { schema });
    await expect(store.migrate()).rejects.toThrow("default_transaction_isolation");
    await store.close();
    await strict.end();
  });

  it("begins again when its connection is lost while it waits for another starter", async () => {
    const holder = await pool.connect();
    await holder.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [
      `${pg.escapeIdentifier(schema)}.migrations`,
    ]);
    const migrated = migrate(pool, schema, [FIRST]);
    const waiting = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
    await expect.poll(async () => (await holder.query(waiting)).rows.length).toBe(1);
    await holder.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS starters`);
    await holder.query("SELECT pg_advisory_unlock_all()");
    holder.release();
    await migrated;
    expect(await tables()).toEqual(["a"]);
  });

  it("goes by PostgreSQL's own functions, whatever others have made of the same name", async () => {
    const store = postgresStore(pool, { schema });
    await store.migrate();
    const shadow = "public.hashtextextended(text, integer)";
    await pool.query(`CREATE FUNCTION ${shadow} RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RAISE 'mine'; END $$`);
    try {
      expect(await store.insertBudget(aBudget(), [], null)).toBe("written");
      expect((await store.admit("a", [{ lengthMs: 1_000, limit: 1 }], 5)).admitted).toBe(true);
    } finally {
      await pool.query(`DROP FUNCTION ${shadow}`);
    }
    await store.close();
  });

  it(`lets ${STARTERS} start at once, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await pool.query(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(schema)} CASCADE`);
      const starters = Array.from({ length: STARTERS }, () => new pg.Pool({ connectionString, max: 1 }));
      await Promise.all(starters.map((starter) => migrate(starter, schema, [FIRST, SECOND])));
      expect(await isCurrent(sessionOn(pool), schema, [FIRST, SECOND])).toBe(true);
      await Promise.all(starters.map((starter) => starter.end()));
    }
  });
});
