import { describe, expect, it } from "vitest";
import { readBudgetSearch } from "./budget-search.js";

describe("readBudgetSearch", () => {
  it("reads the tab and the versions to compare", () => {
    expect(readBudgetSearch({ tab: "versions", from: 1, to: "3" })).toEqual({ tab: "versions", from: 1, to: 3 });
  });

  it("leaves out what it does not know, and the tab that opens by itself", () => {
    expect(readBudgetSearch({ tab: "activity", from: -1, to: true })).toEqual({});
    expect(readBudgetSearch({ tab: "<script>", from: "1.5", to: {} })).toEqual({});
  });
});
