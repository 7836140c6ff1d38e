import { describe, expect, it } from "vitest";
import { testSchema } from "../testing/test-schema.js";
import { textArray } from "./text-array.js";

describe("texts in an array", () => {
  const { query } = testSchema();
  const received = async (texts: readonly (string | null)[], sql = "to_json($1::text[])") => {
    const [row] = await query(`SELECT ${sql} AS answer`, [textArray(texts)]);
    return row?.answer;
  };

  it("texts of an array arrive unchanged, with any characters", async () => {
    const texts = ["", "a,b", '{"x": "\\"}', "line\nfeed\ttab\u0001", null, "NULL", "Ferretería €", "🪚", "'"];
    expect(await received(texts)).toEqual(texts);
    expect(await received([])).toEqual([]);
    expect(await received(["\ud800"])).toEqual(["\ufffd"]);
  });
});
