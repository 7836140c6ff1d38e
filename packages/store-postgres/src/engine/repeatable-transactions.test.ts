import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { inspect } from "node:util";
import { IdTaken } from "@budgetkit/core/store";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { SCHEMA } from "../schema.js";
import { proxyThatLoses } from "../testing/cutting-proxy.js";
import { testPool } from "../testing/test-pool.js";
import { testSchema } from "../testing/test-schema.js";
import type { GatheredStatements } from "./gathered-statements.js";
import { repeatableCalls, repeatableTransactions } from "./repeatable-transactions.js";
import { nameIn, prepared } from "./session.js";

const NO_LOCKS = locksOf();

function locksOf(...businesses: readonly number[]) {
  return { businesses, timeoutMs: 10, isRequired: false };
}

describe("a transaction that may run again", () => {
  const schema = testSchema();
  const named = nameIn(schema.schema);

  /** Transactions on one connection at a time. */
  function transactionsOn(url = schema.url, version = SCHEMA.functionsVersion) {
    const pool = testPool({ connectionString: url, max: 1 });
    onTestFinished(() => pool.end());
    const explain = vi.fn((error: unknown) => Promise.reject<never>(error));
    return { inTransaction: repeatableTransactions(pool, named, { version, explain }), explain };
  }

  /** Adds a row of a host and resolves with the number of those that the transaction then finds. */
  const addRow = async ({ run }: GatheredStatements, name: string): Promise<unknown> => {
    void run(prepared(named("INSERT INTO @host_rows VALUES ($1)")), [name]);
    const [row] = await run(prepared(named("SELECT count(*), 'row is added' FROM @host_rows WHERE name = $1")), [name]);
    return row?.[0];
  };

  const rowsOf = async (name: string) => (await schema.host.rows()).filter((row) => row === name).length;

  it.each([
    ["in the midst of its statements", "row is added", 2],
    ["while it commits", "COMMIT", 1],
  ])("a transaction whose connection was lost %s is committed once", async (when, answer, attempts) => {
    await (await schema.freshStore()).close();
    const proxy = await proxyThatLoses(schema.url, answer);
    onTestFinished(() => proxy.close());
    const { inTransaction } = transactionsOn(proxy.url);
    let completed = 0;
    const { result } = await inTransaction(NO_LOCKS, async (statements, busy) => {
      await busy;
      const count = await addRow(statements, when).catch((error: unknown) => {
        completed += 1;
        throw error;
      });
      completed += 1;
      return count;
    });
    expect(result).toBe(1);
    expect(proxy.cuts).toBe(1);
    expect(completed).toBe(attempts);
    expect(await rowsOf(when)).toBe(1);
  });

  it("a transaction that fails is undone, and its connection goes on", async () => {
    const { inTransaction } = transactionsOn();
    const backend = () =>
      inTransaction(NO_LOCKS, ({ run }) => run(prepared("SELECT pg_backend_pid()"), []).then(([row]) => row?.[0]));
    const before = await backend();
    const name = randomUUID();
    const refusal = new RangeError("refused");
    const failing = inTransaction(NO_LOCKS, async (statements) => {
      await addRow(statements, name);
      throw refusal;
    });
    await expect(failing).rejects.toBe(refusal);
    expect(await rowsOf(name)).toBe(0);
    expect(await backend()).toEqual(before);
  });

  it("a transaction fails when one of its statements has, though nothing waited for it (IdTaken)", async () => {
    const { inTransaction } = transactionsOn();
    const failing = prepared(named("INSERT INTO @event_counters (business_id, last_sequence) VALUES (1, 1), (1, 1)"));
    for (const pause of [async () => {}, () => setTimeout(50)]) {
      const name = randomUUID();
      const run = inTransaction(NO_LOCKS, async (statements, busy) => {
        await busy;
        await addRow(statements, name);
        void statements.run(failing, []);
        await pause();
      });
      await expect(run).rejects.toThrow(IdTaken);
      expect(await rowsOf(name)).toBe(0);
    }
  });

  it("a transaction that fails when it runs again forbids its lost attempt, which may reach the server late", async () => {
    const { inTransaction } = transactionsOn();
    const refusal = new RangeError("refused");
    const ids: unknown[] = [];
    const failing = inTransaction({ ...NO_LOCKS, isRequired: true }, async ({ run }) => {
      if (ids.length === 0) {
        ids.push("lost with its COMMIT");
        void run(prepared("SELECT pg_terminate_backend(pg_backend_pid())"), []);
        return;
      }
      const own = "SELECT id FROM @batches WHERE xmin = pg_current_xact_id()::xid";
      ids.push((await run(prepared(named(own)), []))[0]?.[0]);
      throw refusal;
    });
    await expect(failing).rejects.toBe(refusal);
    const late = schema.query("SELECT @begin_batch($1, '{}', 0, true, $2)", [ids[1], SCHEMA.functionsVersion]);
    await expect(late).rejects.toThrow("batches_pkey");
  });

  it("the error of a transaction shows no values of its rows, nor do its causes", async () => {
    const { inTransaction } = transactionsOn();
    for (const sql of [
      "INSERT INTO @mails (business_id, document) VALUES (1, $1)",
      "INSERT INTO @held_values VALUES (1, 'sku', $1), (1, 'sku', $1)",
    ]) {
      const failed = inTransaction(NO_LOCKS, ({ run }) => run(prepared(named(sql)), ["a private text"]));
      const error = await failed.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      expect(inspect(error)).toMatch(/violates (?:not-null|unique) constraint/);
      expect(inspect(error)).not.toContain("a private text");
    }
  });

  it("a transaction that the server has rolled back runs again", async () => {
    const { inTransaction } = transactionsOn();
    const name = randomUUID();
    let attempts = 0;
    const { result } = await inTransaction(NO_LOCKS, async (statements) => {
      attempts += 1;
      const count = await addRow(statements, name);
      const text = "DO $$ BEGIN RAISE EXCEPTION 'as a deadlock' USING ERRCODE = 'deadlock_detected'; END $$";
      if (attempts === 1) await statements.run(prepared(text), []);
      return count;
    });
    expect([result, attempts, await rowsOf(name)]).toEqual([1, 2, 1]);
  });

  it("a transaction locks its businesses, and is told of those that another one holds", async () => {
    const { inTransaction } = transactionsOn();
    const other = transactionsOn();
    const { result: found } = await inTransaction(locksOf(1, 2), async (_, busy) => {
      const held = await busy;
      return [held, (await other.inTransaction(locksOf(2, 3), (_, ofOther) => ofOther)).result];
    });
    expect(found).toEqual([new Set(), new Set([2])]);
    expect((await inTransaction(locksOf(2, 3), (_, busy) => busy)).result).toEqual(new Set());
  });

  it("a transaction of a release whose schema was migrated since writes nothing, and is explained", async () => {
    const { inTransaction, explain } = transactionsOn(schema.url, SCHEMA.functionsVersion - 1);
    const name = randomUUID();
    await expect(inTransaction(NO_LOCKS, (statements) => addRow(statements, name))).rejects.toThrow("has version");
    expect(explain).toHaveBeenCalledWith(expect.objectContaining({ code: "42883" }));
    expect(await rowsOf(name)).toBe(0);
  });

  it("a transaction that has waited for a migration writes nothing", async () => {
    const { inTransaction } = transactionsOn();
    const migrating = await schema.pool.connect();
    const run = (sql: string) => migrating.query(named(sql));
    const [former] = (await run("SELECT pg_get_functiondef('@require_version(integer)'::regprocedure) AS text")).rows;
    const name = randomUUID();
    try {
      await run("BEGIN; LOCK TABLE @batches IN ACCESS EXCLUSIVE MODE");
      const written = inTransaction(NO_LOCKS, (statements) => addRow(statements, name));
      written.catch(() => {}); // it is expected below
      const waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation = '@batches'::regclass";
      await expect.poll(async () => (await run(waiting)).rows.length).toBe(1);
      await run(`CREATE OR REPLACE FUNCTION @require_version(of_version integer) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'the schema has another version' USING ERRCODE = 'undefined_function'; END $$; COMMIT`);
      await expect(written).rejects.toThrow("another version");
      expect(await rowsOf(name)).toBe(0);
    } finally {
      await run(`ROLLBACK; ${former?.text}`);
      migrating.release();
    }
  });
});

describe("a call that may run again", () => {
  const schema = testSchema();
  const named = nameIn(schema.schema);
  const ADD_ROW = prepared(
    named(`WITH added AS (INSERT INTO @host_rows VALUES ($2) RETURNING 1)
      UPDATE @batches SET answers = to_jsonb('row ' || $3::text) WHERE id = $1 RETURNING answers`),
  );

  async function callsOn(url = schema.url) {
    await (await schema.freshStore()).close();
    const pool = testPool({ connectionString: url, max: 1 });
    onTestFinished(() => pool.end());
    const explain = (error: unknown) => Promise.reject<never>(error);
    return repeatableCalls(pool, named, { version: SCHEMA.functionsVersion, explain });
  }

  const countRows = async (name: string) => (await schema.host.rows()).filter((row) => row === name).length;

  it("a call whose answer was lost is made once, and answered as it was the first time", async () => {
    const proxy = await proxyThatLoses(schema.url, "row is added");
    onTestFinished(() => proxy.close());
    const callOnce = await callsOn(proxy.url);
    const name = randomUUID();
    expect(await callOnce(ADD_ROW, [name, "is added"])).toBe("row is added");
    expect(proxy.cuts).toBe(1);
    expect(await countRows(name)).toBe(1);
  });

  it("a call that fails writes nothing, and its connection goes on", async () => {
    const callOnce = await callsOn();
    const name = randomUUID();
    const failing = prepared(named("UPDATE @batches SET answers = NULL WHERE id = $1 RETURNING $2::text"));
    await expect(callOnce(failing, [name])).rejects.toThrow(/null value/);
    expect(await callOnce(ADD_ROW, [name, "is added"])).toBe("row is added");
    expect(await countRows(name)).toBe(1);
  });
});
