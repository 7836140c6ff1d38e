import { describe, expect, it } from "vitest";
import { readBudgetsSearch } from "./budgets-search.js";

describe("readBudgetsSearch", () => {
  it("keeps each filter of the interface", () => {
    const search = {
      view: "collect",
      status: "APPROVED",
      includeDeleted: true,
      customerId: "1001",
      search: "oak",
      minTotal: 10,
      maxTotal: 20.5,
      createdAfter: "2026-10-01",
      createdBefore: "2026-10-31",
      currency: "ARS",
      sort: "total",
      order: "asc",
    };
    expect(readBudgetsSearch(search)).toEqual(search);
  });

  it("reads an id or a word of digits, which an address has as a number", () => {
    expect(readBudgetsSearch({ customerId: 1001, search: 476 })).toEqual({ customerId: "1001", search: "476" });
  });

  it("leaves out what is not valid, and the default order", () => {
    const wrong = {
      view: "none",
      status: "OPEN",
      includeDeleted: "yes",
      customerId: " ",
      search: {},
      minTotal: -1,
      maxTotal: Number.POSITIVE_INFINITY,
      createdAfter: "2026-13-40",
      createdBefore: "today",
      currency: "pesos",
      sort: "createdAt",
      order: "desc",
    };
    expect(readBudgetsSearch(wrong)).toEqual({});
  });

  it("cuts a search of thousands of letters to what the interface takes", () => {
    expect(readBudgetsSearch({ search: "x".repeat(4_000) }).search).toHaveLength(200);
  });
});
