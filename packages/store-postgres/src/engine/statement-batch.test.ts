import type { Row } from "@budgetkit/store-kit";
import type { PoolClient } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testPool } from "../testing/test-pool.js";
import { testSchema } from "../testing/test-schema.js";
import { gatheredOn } from "./gathered-statements.js";
import { prepared, type SqlValue } from "./session.js";
import { encodedValue, StatementBatch } from "./statement-batch.js";

type Sent = readonly [text: string, ...values: SqlValue[]];

describe("a batch of statements", () => {
  const schema = testSchema();
  let client: PoolClient;

  beforeEach(async () => {
    client = await schema.pool.connect();
    await client.query("DROP TABLE IF EXISTS pg_temp.notes; CREATE TEMP TABLE notes (id integer PRIMARY KEY)");
  });

  afterEach(() => client.release(true));

  /** The rows of each statement of one batch. */
  function send(...statements: readonly Sent[]): Promise<readonly Row[][]> {
    const bound = statements.map(([text, ...values]) => ({ ...prepared(text), values: values.map(encodedValue) }));
    return new Promise((resolve, reject) => {
      client.query(new StatementBatch(bound, (error, rows) => (error === null ? resolve(rows) : reject(error))));
    });
  }

  const notes = async () => (await client.query("SELECT id FROM notes ORDER BY id")).rows.map(({ id }) => Number(id));

  it("a batch runs its statements in order, and resolves with the rows of each by their types", async () => {
    const batch: readonly Sent[] = [
      ["INSERT INTO notes SELECT unnest($1::integer[])", [1, 2, 3]],
      ["SELECT id, id::bigint, id = 2, id::text, id / 2.0::float8, NULL FROM notes ORDER BY notes.id LIMIT $1", 2],
      ["DELETE FROM notes WHERE id > $1 RETURNING id", 1],
      ["SELECT json_build_array(count(*)), jsonb_build_object('of', 'jsonb') FROM notes"],
      ["SELECT id FROM notes WHERE id = $1", 9],
    ];
    const rows = [
      [],
      [
        [1, 1, false, "1", 0.5, null],
        [2, 2, true, "2", 1, null],
      ],
      [[2], [3]],
      [[[1], { of: "jsonb" }]],
      [],
    ];
    expect(await send(...batch)).toEqual(rows);
    await client.query("DELETE FROM notes");
    expect(await send(...batch)).toEqual(rows); // now they are prepared
    expect(await notes()).toEqual([1]);
  });

  it("a batch has one Sync: without BEGIN its statements share a transaction", async () => {
    const id: Sent = ["SELECT pg_current_xact_id()::text"];
    const [first, second] = await send(id, id);
    expect(second).toEqual(first);
    expect(await send(id)).not.toEqual([first]);
  });

  it("a batch prepares a statement once on a connection, also when it occurs twice", async () => {
    const one = "SELECT $1::integer + 1000";
    expect(await send([one, 1], [one, 2])).toEqual([[[1_001]], [[1_002]]]);
    expect(await send([one, 3])).toEqual([[[1_003]]]);
    const { rows } = await client.query("SELECT name FROM pg_prepared_statements WHERE statement = $1", [one]);
    expect(rows).toHaveLength(1);
  });

  const failing: Readonly<Record<string, readonly [text: string, fails: SqlValue, succeeds: SqlValue]>> = {
    "while it runs": ["SELECT 6 / $1::integer", 0, 3],
    "by its values": ["SELECT $1::integer / 1", "two", "2"],
  };

  for (const [when, [text, fails, succeeds]] of Object.entries(failing)) {
    it(`a statement that fails ${when} rejects the batch, twice in a row, and the connection goes on`, async () => {
      const insert = `INSERT INTO notes VALUES ($1) /* ${when} */`;
      for (let time = 0; time < 2; time += 1) {
        await expect(send([insert, 1], [text, fails], [insert, 2])).rejects.toThrow(/division by zero|invalid input/);
        expect(await notes()).toEqual([]);
      }
      expect(await send([text, succeeds], [insert, 2])).toEqual([[[2]], []]);
      await expect(send([text, fails])).rejects.toThrow(/division by zero|invalid input/); // it was prepared
      expect(await send([text, succeeds])).toEqual([[[2]]]);
      expect(await notes()).toEqual([2]);
    });
  }

  it("a statement that cannot be prepared rejects the batch, and runs once what it lacked is there", async () => {
    const select = "SELECT id FROM pg_temp.missing";
    const behind = "SELECT 'a statement behind'";
    for (let time = 0; time < 2; time += 1) await expect(send([select], [behind])).rejects.toThrow("does not exist");
    await client.query("CREATE TEMP TABLE missing AS SELECT 5 AS id");
    expect(await send([select], [behind])).toEqual([[[5]], [["a statement behind"]]]);
  });

  it("a failed statement in a transaction undoes it, and rejects the statements of the same turn and of later ones", async () => {
    const statements = gatheredOn(client);
    const run = ([text, ...values]: Sent) => statements.run(prepared(text), values);
    const turn = [run(["BEGIN"]), run(["INSERT INTO notes VALUES (7)"]), run(["SELECT 1 / 0"]), run(["SELECT 1"])];
    const outcomes = await Promise.allSettled(turn);
    expect(new Set(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.message))).toEqual(
      new Set(["division by zero"]),
    );
    await expect(run(["SELECT 1"])).rejects.toThrow(/division by zero|transaction is aborted/);
    await expect(run(["COMMIT"])).rejects.toThrow(/division by zero|transaction is aborted/);
    await client.query("ROLLBACK");
    expect(await gatheredOn(client).run(prepared("SELECT 1"), [])).toEqual([[1]]);
    expect(await notes()).toEqual([]);
  });

  it("statements of one turn are sent together, and those of the next behind them", async () => {
    const statements = gatheredOn(client);
    const xact = () => statements.run(prepared("SELECT pg_current_xact_id()::text"), []);
    const [first, second] = await Promise.all([xact(), xact()]);
    expect(second).toEqual(first);
    expect(await xact()).not.toEqual(first);
  });

  it("values of statements arrive unchanged: texts with any characters, null, empty arrays, numbers, booleans", async () => {
    const texts = ["", "it's", 'a "quoted" {text}', "back\\slash \\n", "a,b", "line\nfeed\u0001", "NULL", "€ 🪚"];
    const numbers = [0, -1, 2 ** 53 - 1, 1.5];
    const read = async (type: string, value: SqlValue) => {
      const [rows] = await send([`SELECT to_json($1::${type})`, value]);
      return rows?.[0]?.[0];
    };
    for (const text of texts) expect(await read("text", text)).toBe(text);
    for (const number of numbers) expect(await read("float8", number)).toBe(number);
    for (const flag of [true, false, null]) expect(await read("boolean", flag)).toBe(flag);
    expect(await read("text", null)).toBeNull();
    expect(await read("text[]", texts)).toEqual(texts);
    expect(await read("text[]", [null, ...texts, null])).toEqual([null, ...texts, null]);
    expect(await read("text[]", [null])).toEqual([null]);
    expect(await read("float8[]", [...numbers, null])).toEqual([...numbers, null]);
    expect(await read("boolean[]", [true, null, false])).toEqual([true, null, false]);
    for (const type of ["text[]", "bigint[]", "boolean[]"]) expect(await read(type, [])).toEqual([]);
    expect(await read("bytea", new Uint8Array([0, 92, 255]))).toBe("\\x005cff");
  });

  it("a batch that is not answered within the timeout of the client rejects", async () => {
    const pool = testPool({ connectionString: schema.url, query_timeout: 100, max: 1 });
    const slow = await pool.connect();
    const run = gatheredOn(slow).run(prepared("SELECT pg_sleep(5)"), []);
    await expect(run).rejects.toThrow("Query read timeout");
    slow.release(true);
    await pool.end();
  });
});
