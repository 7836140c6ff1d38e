import { beforeEach, describe, expect, it } from "vitest";
import { testSchema } from "../testing/test-schema.js";

describe("ids on another lineage", () => {
  const schema = testSchema();
  beforeEach(async () => void (await schema.freshStore()));

  const between = async (former: string, present: string) =>
    (await schema.query("SELECT @lineages_between($1, $2)::integer AS count", [former, present]))[0]?.count;

  it("ids on another lineage skip as much for each timeline that has begun, and once where that is unknown", async () => {
    expect(await between("71.16.1", "71.16.1")).toBe(0);
    expect(await between("71.16.1", "71.16.2")).toBe(1);
    expect(await between("71.16.9", "71.16.12")).toBe(3);
    expect(await between("71.16.5", "71.99.5")).toBe(1); // a restored dump
    expect(await between("71.16.5", "82.16.1")).toBe(1);
    expect(await between("71.16.5", ".16.0")).toBe(1);
  });

  it("ids of a second promoted standby do not meet those of the first, whose commits it lacks", async () => {
    const store = schema.open();
    const first = await store.reserveIds("1", 100);
    await schema.query("CREATE OR REPLACE FUNCTION @lineage() RETURNS text LANGUAGE sql AS $$ SELECT '71.16.3' $$");
    const goBack = async (lineage: string) => {
      await schema.query("UPDATE @id_ranges SET next = $1, lineage = $2", [first + 100, lineage]);
      await schema.query("UPDATE @ids SET next = 1001, next_range = 2, lineage = $1", [lineage]);
    };
    const drawn: number[][] = [];
    for (const lineage of ["71.16.2", "71.16.1"]) {
      await goBack(lineage);
      const ids = [await store.reserveIds("1", 8_192), await store.reserveIds("2", 1)];
      drawn.push([...ids, Number(await store.reserveBusinessId())]);
      await schema.query("DELETE FROM @id_ranges WHERE business_id = 2");
    }
    expect(drawn).toEqual([
      [first + 100 + 10_000_000, (2 + 10_000) * 10 ** 9 + 1, 101_001],
      [first + 100 + 20_000_000, (2 + 20_000) * 10 ** 9 + 1, 201_001],
    ]);
  });

  it("ids continue where they were in a copy of the rows, and in an upgraded schema", async () => {
    const store = schema.open();
    await schema.query("INSERT INTO @id_ranges (business_id, next, range_end) VALUES (9, 77000000005, 78000000000)");
    expect(await store.reserveIds("9", 1)).toBe(77_000_000_005);
  });
});
