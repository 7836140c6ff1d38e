import { columnsOf, DATA_TABLES, type DataRow, type DataTable } from "@budgetkit/store-kit";
import { describe, expect, it } from "vitest";
import { openPostgresTarget, postgresStore } from "../index.js";
import { listeningStore } from "../testing/listening-stores.js";
import { testSchema } from "../testing/test-schema.js";

const BUSINESSES = tableNamed("businesses");
const ROW: DataRow = [1, "Oak", "FREE", "UTC", 0, 1, "{}"];

function tableNamed(name: string): DataTable {
  const table = DATA_TABLES.find((each) => each.name === name);
  if (table === undefined) throw new Error(`there is no table ${name}`);
  return table;
}

async function rowsIn(rows: AsyncIterable<DataRow>): Promise<readonly DataRow[]> {
  const all: DataRow[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

describe("a Postgres schema as the target of a copy", () => {
  const target = testSchema();
  const { url, schema, pool, query, open } = target;
  const impatient = `${url}${url.includes("?") ? "&" : "?"}options=${encodeURIComponent("-c lock_timeout=10")}`;

  it("a copy leaves out no table and no column of the Postgres target, except its own", async () => {
    await open().migrate();
    const columns = await query(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = $1 AND is_generated = 'NEVER'`,
      [schema],
    );
    const given = DATA_TABLES.flatMap((table) => columnsOf(table).map((column) => `${table.name}.${column}`));
    // A copy changes no record that a store has kept. The directory is derived. Triggers fill the sums of uploads and the tables of the search index; views show the queue and the log of deliveries.
    const own =
      /^(?:batches|catalog_marks|copies|directory|ids|migrations|rate_\w+|schema_functions|search_\w+|host_rows|upload_sums|delivery_(?:queue|log|turns|use)|deliveries\.trail|id_ranges\.lineage)\b/;
    const wanted = columns.map(({ name }) => String(name)).filter((name) => !own.test(name));
    expect(wanted.sort()).toEqual(given.filter((name) => !name.startsWith("counters.")).sort());
  });

  it("a Postgres target keeps rows with their position, or neither, until the copy is complete", async () => {
    const first = await openPostgresTarget(url, { schema });
    expect(await first.begin("a")).toEqual({ place: null, completedAt: null });
    const place = { table: "businesses", key: [1], rows: 1 } as const;
    await first.load(BUSINESSES, [ROW], place);
    await expect(first.load(BUSINESSES, [ROW], { ...place, rows: 2 })).rejects.toThrow("duplicate key");
    await first.close();

    for (const refused of [() => open().migrate(), () => open().pendingMigrations()]) {
      await expect(refused()).rejects.toThrow(`a copy into the schema "${schema}" is not complete`);
    }
    const second = await openPostgresTarget(url, { schema });
    expect(await second.begin("a")).toMatchObject({ place, completedAt: null });
    await expect(second.begin("b")).rejects.toThrow("was begun from other data");
    expect(await rowsIn(second.rows(BUSINESSES))).toEqual([ROW]);
    await second.complete();
    expect((await second.begin("a")).completedAt).toBeGreaterThan(0);
    await expect(second.begin("b")).rejects.toThrow("was completed from other data");
    await second.close();
    await open().migrate();
    expect(await open().pendingMigrations()).toBe(0);
  });

  it("a Postgres target continues ids and the numbers of events where the source ended", async () => {
    await query("DROP TABLE @copies");
    await query("DELETE FROM @businesses");
    const copy = await openPostgresTarget(url, { schema });
    await copy.begin("a");
    const counters = tableNamed("counters");
    expect(await rowsIn(copy.rows(counters))).toEqual([
      ["event_positions", 0],
      ["id_ranges", 1],
      ["ids", 1001],
    ]);
    const rows: readonly DataRow[] = [
      ["event_positions", 41],
      ["id_ranges", 6],
      ["ids", 7_000],
    ];
    await copy.load(counters, rows, { table: "counters", key: ["ids"], rows: 3 });
    expect(await rowsIn(copy.rows(counters))).toEqual(rows);
    await copy.complete();
    await copy.close();
    const store = postgresStore(pool, { schema });
    expect(await store.reserveBusinessId()).toBe("7000");
    expect(await store.reserveIds("1", 1)).toBe(6_000_000_001);
    expect(await query("SELECT nextval('@event_positions') AS next")).toEqual([{ next: "42" }]);
  });

  it("refuses a Postgres target while another copy is under way", async () => {
    const first = await openPostgresTarget(url, { schema });
    await expect(openPostgresTarget(impatient, { schema })).rejects.toThrow("another copy into the schema");
    await first.close();
    await (await openPostgresTarget(url, { schema })).close();
  });

  it("refuses a Postgres target while a store on the schema listens, and no longer", async () => {
    const stores = ["one", "two"].map((name) => listeningStore(target, name));
    for (const { store } of stores) {
      await new Promise<void>((resolve) => store.onWork?.(resolve)); // it listens
    }
    for (const { close } of stores) {
      await expect(openPostgresTarget(impatient, { schema })).rejects.toThrow(`the schema "${schema}" is in use`);
      await close();
    }
    await (await openPostgresTarget(url, { schema })).close();
  });
});
