import { describe, expect, it } from "vitest";
import { changedSearch } from "./changed-search.js";

describe("changedSearch", () => {
  it("changes and leaves out parts, and keeps the rest and the given one", () => {
    const search: { view?: string; page?: number; delivery?: string } = { view: "failed", page: 3 };
    expect(changedSearch(search, { page: undefined, delivery: "7" })).toEqual({ view: "failed", delivery: "7" });
    expect(search).toEqual({ view: "failed", page: 3 });
    expect(Object.keys(changedSearch(search, { page: undefined }))).toEqual(["view"]);
  });
});
