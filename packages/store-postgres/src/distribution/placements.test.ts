import { describe, expect, it } from "vitest";
import { CITUS_URL, citusSchema, WITHOUT_CITUS } from "../testing/citus-database.js";
import { testSchema } from "../testing/test-schema.js";
import { COORDINATED, PLACEMENTS } from "./placements.js";

/** Made by tests and by copies. */
const NOT_OF_THE_SCHEMA = ["host_rows", "copies"];

const tablesIn = (schema: string) => `SELECT tablename AS name FROM pg_tables WHERE schemaname = '${schema}'`;

describe("where tables are when the schema is distributed", () => {
  const schema = testSchema();

  it("every table of the schema has its place, and a reason where it is not distributed", async () => {
    await schema.freshStore();
    const found = (await schema.query(tablesIn(schema.schema))).map(({ name }) => String(name));
    const placed = Object.keys(PLACEMENTS).filter((name) => !NOT_OF_THE_SCHEMA.includes(name));
    expect(found.filter((name) => !NOT_OF_THE_SCHEMA.includes(name)).sort()).toEqual(placed.sort());
    for (const placement of Object.values(PLACEMENTS)) if ("why" in placement) expect(placement.why).not.toBe("");
  });

  it("no unique index of a distributed table goes beyond a business", async () => {
    await schema.freshStore();
    const indexes = await schema.query(
      "SELECT tablename AS table, indexdef AS definition FROM pg_indexes WHERE schemaname = $1 AND indexdef LIKE '% UNIQUE %'",
      [schema.schema],
    );
    for (const { table, definition } of indexes) {
      const placement = PLACEMENTS[String(table)];
      if (placement === undefined || !("by" in placement)) continue;
      expect(String(definition)).toContain(`(${placement.by}`);
    }
  });
});

describe.skipIf(CITUS_URL === undefined)(`a schema on Citus${WITHOUT_CITUS}`, () => {
  const schema = citusSchema();

  it("the business tables are distributed together, and the others are on the coordinator", async () => {
    const found = await schema.query(
      `SELECT relname AS name, partmethod AS method, colocationid AS together,
         CASE partmethod WHEN 'h' THEN column_to_column_name(logicalrelid, partkey) END AS by
       FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid WHERE relnamespace = 'budgetkit'::regnamespace`,
    );
    const distributed = found.filter(({ method }) => method === "h");
    expect(Object.fromEntries(distributed.map(({ name, by }) => [name, { by }]))).toEqual(
      Object.fromEntries(Object.entries(PLACEMENTS).filter(([, placement]) => "by" in placement)),
    );
    expect(new Set(distributed.map(({ together }) => together)).size).toBe(1);
    expect(found.filter(({ method }) => method !== "h").map(({ name }) => name)).toEqual([COORDINATED]);
  });

  it("migrating again changes nothing", async () => {
    const store = schema.open();
    await store.migrate();
    expect(await store.pendingMigrations()).toBe(0);
  });
});
