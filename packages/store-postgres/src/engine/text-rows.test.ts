import { describe, expect, it } from "vitest";
import { testSchema } from "../testing/test-schema.js";
import { columnAt, columnsAt, lengthOf, textArray, textsOf } from "./text-rows.js";

const TYPES = { id: "bigint", note: "text", total: "double precision" };

describe("rows as texts", () => {
  const { query } = testSchema();
  const received = async (texts: readonly (string | null)[], sql = "to_json($1::text[])") => {
    const [row] = await query(`SELECT ${sql} AS answer`, [textArray(texts)]);
    return row?.answer;
  };

  it("rows sent as texts arrive unchanged, with any characters", async () => {
    const texts = ["", "a,b", '{"x": "\\"}', "line\nfeed\ttab\u0001", null, "NULL", "Ferretería €", "🪚", "'"];
    expect(await received(texts)).toEqual(texts);
    expect(await received([])).toEqual([]);
    expect(await received(["\ud800"])).toEqual(["\ufffd"]);
  });

  it("rows sent as texts become columns of their types", async () => {
    const rows = [
      { id: 2 ** 53 - 1, note: "a", total: 0.1 },
      { id: 2, note: null, total: 1e21 },
    ];
    const texts = rows.flatMap((row) => textsOf(TYPES, row));
    const answer = `(SELECT json_agg(row) FROM (
      SELECT ${columnsAt(TYPES, "first")}
      FROM (SELECT $1::text[] AS texts) AS sent, generate_series(1, cardinality(texts), ${lengthOf(TYPES)}) AS first
    ) AS row)`;
    expect(await received(texts, answer)).toEqual(rows);
    const sent = "FROM (SELECT $1::text[] AS texts) AS sent";
    expect(await received(texts, `(SELECT ${columnAt(TYPES, "total", "4")} ${sent})`)).toBe(1e21);
  });
});
