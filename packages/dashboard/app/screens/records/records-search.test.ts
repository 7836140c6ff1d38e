import { describe, expect, it } from "vitest";
import { readCatalogSearch } from "../catalog/catalog-search.js";
import { readRecordsSearch } from "./records-search.js";

describe("readRecordsSearch", () => {
  it("reads search, deleted ones and order, and leaves out what is not valid", () => {
    expect(readRecordsSearch({ q: " oak ", deleted: true, sort: "name" })).toEqual({
      q: "oak",
      deleted: true,
      sort: "name",
    });
    expect(readRecordsSearch({ q: ["a"], deleted: "yes", sort: "price" })).toEqual({});
  });

  it("reads a search of digits, which is a number in an address, and bounds a long one", () => {
    expect(readRecordsSearch({ q: 20123 })).toEqual({ q: "20123" });
    expect(readRecordsSearch({ q: "a".repeat(4_000) }).q).toHaveLength(200);
  });

  it("readCatalogSearch knows two tabs", () => {
    expect(readCatalogSearch({ tab: "packages" })).toEqual({ tab: "packages" });
    expect(readCatalogSearch({ tab: "secrets" })).toEqual({});
  });
});
