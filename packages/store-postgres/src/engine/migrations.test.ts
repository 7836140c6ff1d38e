import { insertBudgetCommit, StoreUnavailable } from "@budgetkit/core/store";
import { aBudget, outcomeOf, rounds } from "@budgetkit/testing";
import pg from "pg";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { postgresStore } from "../index.js";
import { checksumOf, countPending, isCurrent, type Migration, migrate, type SchemaDefinition } from "./migrations.js";
import { sessionOn } from "./session.js";

const FIRST: Migration = { version: 1, sql: "CREATE TABLE @a (x integer);" };
const SECOND: Migration = { version: 2, sql: "CREATE TABLE @b (x integer);" };
const FUNCTIONS = "CREATE OR REPLACE FUNCTION @one() RETURNS integer LANGUAGE sql AS 'SELECT 1';";
const STARTERS = 16;
const ROUNDS = rounds({ small: 5, full: 50 });

function steps(migrations: readonly Migration[], functions = FUNCTIONS, functionsVersion = 1): SchemaDefinition {
  return { migrations, functions, functionsVersion };
}

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
      "SELECT tablename FROM pg_tables WHERE schemaname = $1 AND tablename NOT IN ('migrations', 'schema_functions') ORDER BY 1",
      [schema],
    );
    return rows.map(({ tablename }) => String(tablename));
  }

  it("migrating PostgreSQL applies the missing steps, in order and once", async () => {
    await migrate(pool, schema, steps([FIRST]));
    await migrate(pool, schema, steps([FIRST, SECOND]));
    await migrate(pool, schema, steps([FIRST, SECOND]));
    expect(await tables()).toEqual(["a", "b"]);
  });

  it("migrating PostgreSQL applies all of the missing steps or none", async () => {
    const failing: Migration = { version: 2, sql: "CREATE TABLE @a (x integer);" };
    await expect(migrate(pool, schema, steps([FIRST, failing]))).rejects.toThrow("already exists");
    expect(await tables()).toEqual([]);
    await migrate(pool, schema, steps([FIRST, SECOND]));
    expect(await tables()).toEqual(["a", "b"]);
  });

  it("migrating waits for a step, and for another process at it, longer than the pool's timeout", async () => {
    const slow: Migration = { version: 1, sql: "SELECT pg_sleep(1.5); CREATE TABLE @a (x integer);" };
    const hurried = new pg.Pool({ connectionString, max: 2, query_timeout: 1_000, statement_timeout: 1_000 });
    try {
      await Promise.all([migrate(hurried, schema, steps([slow])), migrate(hurried, schema, steps([slow]))]);
      expect(await tables()).toEqual(["a"]);
    } finally {
      await hurried.end();
    }
  });

  it("migrating PostgreSQL refuses a schema that is newer than the package", async () => {
    await migrate(pool, schema, steps([FIRST, SECOND]));
    await expect(migrate(pool, schema, steps([FIRST]))).rejects.toThrow("is at version 2, newer than this release");
  });

  it("migrating PostgreSQL refuses a step that has changed since it was applied", async () => {
    await migrate(pool, schema, steps([FIRST]));
    const changed = { version: 1, sql: "CREATE TABLE @a (x text);" };
    await expect(migrate(pool, schema, steps([changed, SECOND]))).rejects.toThrow("was applied with other contents");
    expect(await tables()).toEqual(["a"]);
  });

  it("uses a schema that exists already, without the right to make schemas", async () => {
    const role = `migrator_${process.pid}`;
    const name = pg.escapeIdentifier(schema);
    await pool.query(`CREATE ROLE ${role} LOGIN; CREATE SCHEMA ${name} AUTHORIZATION ${role}`);
    const limited = new pg.Pool({ connectionString: connectionString.replace("postgres@", `${role}@`) });
    try {
      const store = postgresStore(limited, { schema });
      await store.migrate();
      expect(await outcomeOf(store, insertBudgetCommit(aBudget()))).toBe("written");
      await store.close();
    } finally {
      await limited.end();
      await pool.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
    }
  });

  it("serves nothing once it has found the schema newer, and is not ready (StoreUnavailable)", async () => {
    const store = postgresStore(pool, { schema });
    await store.migrate();
    await pool.query(`INSERT INTO ${pg.escapeIdentifier(schema)}.migrations VALUES (9999, 'of a later release')`);
    expect(await store.findOutage()).not.toBeNull();
    await expect(store.migrate()).rejects.toThrow("update the package");
    const write = store.commit(insertBudgetCommit(aBudget()));
    await expect(write).rejects.toThrow(StoreUnavailable);
    await expect(write).rejects.toThrow("is at version 9999, newer than this release");
    expect(await store.findOutage()).toContain("version 9999");
    await store.close();
  });

  it("finds the schema newer by a statement that no longer fits it (StoreUnavailable)", async () => {
    const store = postgresStore(pool, { schema });
    await store.migrate();
    const named = pg.escapeIdentifier(schema);
    await pool.query(`DROP FUNCTION ${named}.next_due_at()`);
    await expect(store.nextDueAt()).rejects.not.toThrow(StoreUnavailable);
    await pool.query(`UPDATE ${named}.schema_functions SET version = 9999`);
    await expect(store.nextDueAt()).rejects.toThrow(StoreUnavailable);
    await expect(store.findBudget("1", "10")).rejects.toThrow("is at functions 9999, newer than this release");
    await store.close();
  });

  it("finds the schema newer by a prepared statement whose result has changed (0A000, StoreUnavailable)", async () => {
    const store = postgresStore(pool, { schema, listen: false });
    await store.migrate();
    const read = () => store.findRunningReplays(null, 1);
    expect(await read()).toEqual([]);
    const named = pg.escapeIdentifier(schema);
    await pool.query(`ALTER TABLE ${named}.replays ALTER COLUMN document TYPE varchar`);
    await pool.query(`UPDATE ${named}.schema_functions SET version = 9999`);
    const refused = await read().catch((error: unknown) => error);
    expect(refused).toMatchObject({ cause: { message: "cached plan must not change result type" } });
    expect(refused).toHaveProperty("message", expect.stringContaining("is at functions 9999, newer than this release"));
    await expect(store.findBudget("1", "10")).rejects.toThrow(StoreUnavailable);
    await store.close();
  });

  it("rejects a migration when there is no server (StoreUnavailable)", async () => {
    const store = postgresStore("postgres://postgres@127.0.0.1:1/postgres");
    await expect(store.migrate()).rejects.toThrow(StoreUnavailable);
    expect(await store.findOutage()).not.toBeNull();
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

  it("migrating begins again when its connection is lost while it waits for another process", async () => {
    const holder = await pool.connect();
    await holder.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [
      `${pg.escapeIdentifier(schema)}.migrations`,
    ]);
    const migrated = migrate(pool, schema, steps([FIRST]));
    const waiting = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
    await expect.poll(async () => (await holder.query(waiting)).rows.length).toBe(1);
    await holder.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS starters`);
    await holder.query("SELECT pg_advisory_unlock_all()");
    holder.release();
    await migrated;
    expect(await tables()).toEqual(["a"]);
  });

  it("migrating waits for a batch of writes that runs, which goes on to its end without a deadlock", async () => {
    await migrate(pool, schema, steps([FIRST, SECOND]));
    const name = pg.escapeIdentifier(schema);
    const third = {
      version: 3,
      sql: "LOCK TABLE @b IN SHARE ROW EXCLUSIVE MODE; ALTER TABLE @b ADD COLUMN y integer;",
    };
    const writer = await pool.connect();
    try {
      await writer.query(`BEGIN; SELECT FROM ${name}.a; SELECT FROM ${name}.b`);
      const migrated = migrate(pool, schema, { ...steps([FIRST, SECOND, third]), firstWritten: "a" });
      migrated.catch(() => {}); // it is awaited below
      const waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation IN ($1::regclass, $2::regclass)";
      const blocked = async () => (await pool.query(waiting, [`${name}.a`, `${name}.b`])).rows.length;
      await expect.poll(blocked).toBe(1);
      await writer.query(`INSERT INTO ${name}.b VALUES (1); COMMIT`);
      await migrated;
    } finally {
      writer.release(true);
    }
    expect((await pool.query(`SELECT x, y FROM ${name}.b`)).rows).toEqual([{ x: 1, y: null }]);
  });

  it("uses PostgreSQL's own functions, even if the database has others of the same name", async () => {
    const store = postgresStore(pool, { schema });
    await store.migrate();
    const shadow = "public.hashtextextended(text, integer)";
    await pool.query(`CREATE FUNCTION ${shadow} RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RAISE 'mine'; END $$`);
    try {
      expect(await outcomeOf(store, insertBudgetCommit(aBudget()))).toBe("written");
      expect((await store.consume("a", [{ lengthMs: 1_000, limit: 1 }], 5)).refusal).toBeNull();
    } finally {
      await pool.query(`DROP FUNCTION ${shadow}`);
    }
    await store.close();
  });

  async function functions(): Promise<string[]> {
    const { rows } = await pool.query(
      "SELECT proname AS name FROM pg_proc WHERE pronamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) ORDER BY 1",
      [schema],
    );
    return rows.map(({ name }) => String(name));
  }

  it("counts changed functions as pending, and applies them once", async () => {
    const noted = (text: string) => `${text} INSERT INTO @a VALUES (1);`;
    await migrate(pool, schema, steps([FIRST], noted(FUNCTIONS)));
    const changed = steps([FIRST], noted(FUNCTIONS.replace("SELECT 1", "SELECT 2")));
    expect(await countPending(sessionOn(pool), schema, changed)).toBe(1);
    const starters = Array.from({ length: STARTERS }, () => new pg.Pool({ connectionString, max: 1 }));
    await Promise.all(starters.map((starter) => migrate(starter, schema, changed)));
    await Promise.all(starters.map((starter) => starter.end()));
    expect(await countPending(sessionOn(pool), schema, changed)).toBe(0);
    const name = pg.escapeIdentifier(schema);
    expect((await pool.query(`SELECT ${name}.one() AS one`)).rows).toEqual([{ one: 2 }]);
    expect((await pool.query(`SELECT * FROM ${name}.a`)).rows).toHaveLength(2);
  });

  it("drops a function that the new text lacks or defines otherwise, or without a default, and none of the host", async () => {
    const name = pg.escapeIdentifier(schema);
    const two = (result: string) =>
      `CREATE OR REPLACE FUNCTION @two(\n  a integer, b @a[] DEFAULT '{}', c text DEFAULT NULL\n) RETURNS ${result} LANGUAGE sql AS 'SELECT 2::${result}';`;
    await migrate(pool, schema, steps([FIRST], FUNCTIONS + two("integer")));
    await pool.query(`CREATE FUNCTION ${name}.of_host() RETURNS integer LANGUAGE sql AS 'SELECT 3'`);
    await migrate(pool, schema, steps([FIRST], FUNCTIONS + two("text")));
    expect((await pool.query(`SELECT ${name}.two(1, NULL) AS two`)).rows).toEqual([{ two: "2" }]);
    await migrate(pool, schema, steps([FIRST], FUNCTIONS + two("text").replaceAll(/ DEFAULT \S+?(?=[,\n])/g, "")));
    await expect(pool.query(`SELECT ${name}.two(1)`)).rejects.toThrow("does not exist");
    await migrate(pool, schema, steps([FIRST], two("text")));
    expect(await functions()).toEqual(["of_host", "two"]);
    await migrate(pool, schema, steps([FIRST], FUNCTIONS));
    expect(await functions()).toEqual(["of_host", "one"]);
  });

  it("refuses functions of a newer release, and leaves them", async () => {
    const two = "CREATE OR REPLACE FUNCTION @two() RETURNS integer LANGUAGE sql AS 'SELECT 2';";
    await migrate(pool, schema, steps([FIRST], FUNCTIONS + two, 2));
    await expect(migrate(pool, schema, steps([FIRST]))).rejects.toThrow("is at functions 2, newer than this release");
    expect(await functions()).toEqual(["one", "two"]);
  });

  it("accepts a step under the checksum of an earlier release", async () => {
    await migrate(pool, schema, steps([FIRST]));
    const rewritten = { version: 1, sql: "CREATE TABLE @a (x int);", formerChecksums: [checksumOf(FIRST.sql)] };
    await migrate(pool, schema, steps([rewritten, SECOND]));
    expect(await tables()).toEqual(["a", "b"]);
  });

  it(`lets ${STARTERS} processes migrate at once, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await pool.query(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(schema)} CASCADE`);
      const starters = Array.from({ length: STARTERS }, () => new pg.Pool({ connectionString, max: 1 }));
      await Promise.all(starters.map((starter) => migrate(starter, schema, steps([FIRST, SECOND]))));
      expect(await isCurrent(sessionOn(pool), schema, steps([FIRST, SECOND]))).toBe(true);
      await Promise.all(starters.map((starter) => starter.end()));
    }
  });
});
