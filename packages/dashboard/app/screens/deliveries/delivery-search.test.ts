import { describe, expect, it } from "vitest";
import { readDeliverySearch } from "./delivery-search.js";

describe("readDeliverySearch", () => {
  it("reads what the address says, numbers too", () => {
    expect(readDeliverySearch({ view: "failed", event: "budget.viewed", page: "3", delivery: 4711 })).toEqual({
      view: "failed",
      event: "budget.viewed",
      page: 3,
      delivery: "4711",
    });
  });

  it("leaves out what no screen writes", () => {
    const typed = { view: "all", event: "budget.*", page: "1", delivery: "<img src=x>", other: "x" };
    expect(readDeliverySearch(typed)).toEqual({});
    expect(readDeliverySearch({ page: "-2" })).toEqual({});
    expect(readDeliverySearch({ page: "1e99" })).toEqual({});
  });
});
