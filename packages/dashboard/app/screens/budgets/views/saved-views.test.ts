import { describe, expect, it } from "vitest";
import { changeSearch, hasFilter, isSameFilter } from "../filters/change-search.js";
import { addView, readViews } from "./saved-views.js";

const kept = (text: string | null) => ({ getItem: () => text });

describe("readViews", () => {
  it("reads what was kept, and leaves out what makes no sense", () => {
    const text = JSON.stringify([
      { name: "Large", search: { minTotal: 1_000, status: "OPEN" } },
      { name: 7, search: {} },
      { name: "Broken" },
    ]);
    expect(readViews(kept(text))).toEqual([{ name: "Large", search: { minTotal: 1_000 } }]);
  });

  it.each([null, "", "{", "null", "{}"])("readViews has no views where %j is kept", (text) => {
    expect(readViews(kept(text))).toEqual([]);
  });
});

describe("addView", () => {
  it("replaces a view of the same name", () => {
    const views = addView([{ name: "Large", search: {} }], { name: " Large ", search: { minTotal: 5 } });
    expect(views).toEqual([{ name: "Large", search: { minTotal: 5 } }]);
  });
});

describe("a filter", () => {
  it("a filter is the same in any order of its fields and of the list", () => {
    expect(isSameFilter({ status: "DRAFT", search: "oak" }, { search: "oak", status: "DRAFT", sort: "total" })).toBe(
      true,
    );
    expect(isSameFilter({ status: "DRAFT" }, {})).toBe(false);
    expect(hasFilter({ sort: "total", order: "asc" })).toBe(false);
  });

  it("a filter loses the fields that are set to null", () => {
    expect(changeSearch({ status: "DRAFT", search: "oak" }, { search: null, currency: "ARS" })).toEqual({
      status: "DRAFT",
      currency: "ARS",
    });
  });
});
