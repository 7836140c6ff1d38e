import { insertBudgetCommit, replaceBudgetCommit, type Store } from "@budgetkit/core/store";
import { aBudget, aBudgetQuery } from "@budgetkit/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { notingRows } from "../commit/note-texts.js";
import { testSchema } from "../testing/test-schema.js";

/** More rows than the sample that a search reads first. */
const ROWS = 300;

const BLOCK = 8;

describe("indexing texts", () => {
  const schema = testSchema();
  const { query, pool } = schema;
  let store: Store;

  beforeEach(async () => {
    store = await schema.freshStore();
  });

  async function insert(ids: readonly number[], notes = "oak"): Promise<void> {
    await Promise.all(ids.map((id) => store.commit(insertBudgetCommit(aBudget({ id: String(id), notes, items: [] })))));
  }

  const change = (id: number, version: number, notes: string) =>
    store.commit(replaceBudgetCommit(aBudget({ id: String(id), version, notes, items: [] }), version - 1));

  async function find(search: string): Promise<readonly number[]> {
    const { entries, total, totalIsLowerBound } = await store.listBudgets("1", aBudgetQuery({ search, limit: 100 }));
    if (totalIsLowerBound === undefined) expect(total).toBe(entries.length);
    return entries.map(({ id }) => Number(id)).sort((a, b) => a - b);
  }

  async function indexAll(): Promise<void> {
    while ((await store.indexTexts?.(1_000)) !== 0);
  }

  /** The blocks that are full or were full, and how many records they and the open ones hold. */
  async function blocks(): Promise<{ readonly full: number; readonly records: number; readonly distinct: number }> {
    const [row] = await query(`SELECT count(DISTINCT number) FILTER (WHERE terms IS NOT NULL)::integer AS full,
      count(id)::integer AS records, count(DISTINCT id)::integer AS distinct
      FROM @search_blocks, unnest(ids) AS id`);
    return { full: Number(row?.full), records: Number(row?.records), distinct: Number(row?.distinct) };
  }

  it("indexing puts every record into one block, and leaves none waiting", async () => {
    await insert(numbers(1, ROWS));
    await indexAll();
    expect(await blocks()).toEqual({ full: Math.floor(ROWS / BLOCK), records: ROWS, distinct: ROWS });
    expect(await query("SELECT * FROM @search_waiting")).toEqual([]);
  });

  it("indexing fills a block over several steps", async () => {
    for (const id of numbers(1, BLOCK)) {
      await insert([id]);
      await indexAll();
      expect(await blocks()).toEqual({ full: id === BLOCK ? 1 : 0, records: id, distinct: id });
    }
  });

  it("indexes what a transaction commits after later ones, and nothing of one that is rolled back", async () => {
    await insert(numbers(1, ROWS));
    const { begin } = schema.host;
    const [late, failed] = [await begin(), await begin()];
    await store.withConnection(late.connection).commit(insertBudgetCommit(aBudget({ id: "1001", notes: "zebra" })));
    const other = aBudget({ id: "1002", businessId: "2", notes: "zebra" });
    await store.withConnection(failed.connection).commit(insertBudgetCommit(other));
    await query(`INSERT INTO @customers (business_id, id, version, name_key, created_at, held, name, search_text, document)
      SELECT 1, n, 1, '', 1, '{}', '', 'pine', '{}' FROM generate_series(1, 40) AS n`);
    await query(notingRows("customers", "@customers")); // later notes
    await indexAll();
    await failed.rollback();
    await late.commit();
    expect(await find("zebra")).toEqual([1_001]);
    await insert(numbers(2_001, BLOCK));
    await indexAll();
    expect(await find("zebra")).toEqual([1_001]);
    expect(await query("SELECT * FROM @search_waiting")).toEqual([]);
  });

  it("processes that index at the same time do it once", async () => {
    await insert(numbers(1, ROWS));
    const stores = [store, schema.open(), schema.open()];
    for (let round = 0; round < 4; round += 1) await Promise.all(stores.map((each) => each.indexTexts?.(100)));
    await indexAll();
    expect(await blocks()).toEqual({ full: Math.floor(ROWS / BLOCK), records: ROWS, distinct: ROWS });
  });

  it("indexing loses nothing when its connection is cut", async () => {
    await insert(numbers(1, ROWS));
    await insert([1_001], "zebra");
    const holder = await pool.connect();
    await holder.query("BEGIN");
    await holder.query(`LOCK TABLE "${schema.schema}".search_blocks IN SHARE MODE`);
    const cut = expect(store.indexTexts?.(1_000)).rejects.toThrow("PostgreSQL cannot serve"); // may reject at any moment
    const waiting = `SELECT pid FROM pg_locks WHERE NOT granted AND relation = '"${schema.schema}".search_blocks'::regclass
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await expect.poll(async () => (await pool.query(waiting)).rows.length).toBe(1);
    await pool.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS indexing`);
    await cut;
    await holder.query("ROLLBACK");
    holder.release();
    expect(await find("zebra")).toEqual([1_001]);
    await indexAll();
    expect(await blocks()).toMatchObject({ records: ROWS + 1, distinct: ROWS + 1 });
    expect(await find("zebra")).toEqual([1_001]);
  });

  it("finds changed records by their new text only, and keeps no block of a few", async () => {
    await insert(numbers(1, ROWS));
    await indexAll();
    for (let version = 2; version < 7; version += 1) {
      for (const id of numbers(1, ROWS)) await change(id, version, id === 7 ? `zebra ${version}` : `pine ${version}`);
      expect(await find(`zebra ${version}`)).toEqual([7]);
      await indexAll();
      expect(await find(`zebra ${version}`)).toEqual([7]);
      expect(await find(`zebra ${version - 1}`)).toEqual([]);
      expect(await blocks()).toEqual({ full: Math.floor(ROWS / BLOCK), records: ROWS, distinct: ROWS });
    }
    for (const id of numbers(1, ROWS)) if (id % BLOCK > 2) await change(id, 7, "ash");
    await indexAll();
    expect(await blocks()).toMatchObject({ records: ROWS, distinct: ROWS });
    const few = await query("SELECT FROM @search_blocks WHERE terms IS NOT NULL AND cardinality(ids) < 4");
    expect(few).toEqual([]);
  });

  it("walks along the list while more texts wait than a search compares", async () => {
    await query(
      `INSERT INTO @budgets (business_id, id, version, revision, status, customer_id, currency, total, total_minor,
         created_at, search_text, document)
       SELECT 1, n, 1, 1, 'APPROVED', 'c', 'USD', n, n, n, CASE n WHEN 5 THEN 'zebra' ELSE 'oak' END,
         json_build_object('id', n::text, 'total', n, 'currency', 'USD', 'createdAt', n, 'status', 'APPROVED')
       FROM generate_series(1, 21000) AS n`,
    );
    await query(notingRows("budgets", "@budgets"));
    const search = () => store.listBudgets("1", aBudgetQuery({ search: "zebra" }));
    expect(await search()).toMatchObject({ entries: [{ id: "5" }], total: 1 });
    await store.indexTexts?.(1_000);
    expect(await query("SELECT max(cardinality(ids)) AS largest FROM @search_waiting")).toEqual([{ largest: 256 }]);
    await store.indexTexts?.(1_000);
    expect(await search()).toMatchObject({ entries: [{ id: "5" }], total: 1 });
  });
});

function numbers(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}
