import { type BudgetEntry, BudgetkitError, type ListBudgetsQuery } from "@budgetkit/client";
import { describe, expect, it } from "vitest";
import { planOf } from "../budgets-plan.js";
import { cellOf, linesOf } from "./csv.js";
import { type ExportProgress, exportFilter } from "./export-budgets.js";

function budget(id: string, name: string): BudgetEntry {
  return {
    id,
    number: `P-${id}`,
    version: 1,
    revision: 1,
    customerId: "7",
    status: "PENDING",
    total: 1250.5,
    subtotal: 1250.5,
    tax: 0,
    paid: 250,
    currency: "ARS",
    validUntil: null,
    notes: null,
    createdAt: "2026-11-01T00:00:00.000Z",
    updatedAt: "2026-11-01T00:00:00.000Z",
    acceptance: null,
    customer: { id: "7", name, email: null },
    items: [],
    availableActions: [],
  };
}

describe("cellOf", () => {
  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "＝1", '=cmd|"/c calc"!A1'])(
    "makes %j a text that no spreadsheet computes",
    (text) => {
      expect(cellOf(text)).toMatch(/^"'/);
    },
  );

  it("quotes separators, quotes and lines, and leaves numbers as they are", () => {
    expect(cellOf('Oak, 6"')).toBe('"Oak, 6"""');
    expect(cellOf("a\nb")).toBe('"a\nb"');
    expect(cellOf(-5.5)).toBe("-5.5");
    expect(cellOf(null)).toBe("");
  });
});

describe("linesOf", () => {
  it("writes one JSON object a line", () => {
    const lines = linesOf("jsonl", [budget("1", "Ana"), budget("2", "a\nb")])
      .trimEnd()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line).customer.name)).toEqual(["Ana", "a\nb"]);
  });
});

describe("exportFilter", () => {
  it("writes all pages under one head, and reports how far it is", async () => {
    const progress: ExportProgress[] = [];
    const file = await exportFilter({
      format: "csv",
      plan: planOf({}, 0),
      read: pagesOf([Array.from({ length: 40 }, () => budget("1", "=Ana")), [budget("2", "Eva")]]),
      sleep: async () => {},
      onProgress: (each) => progress.push(each),
    });
    const lines = (await file.text()).trimEnd().split("\r\n");
    expect(lines).toHaveLength(42);
    expect(lines[0]).toContain("id,number,status");
    expect(lines[1]).toContain(`1,P-1,PENDING,7,"'=Ana"`);
    expect(progress.map(({ done, total }) => [done, total])).toEqual([
      [40, 41],
      [41, 41],
    ]);
  });

  it("waits as long as the service says where the limit of requests is used up, and loses nothing", async () => {
    const read = pagesOf([[budget("1", "Ana")]]);
    const slept: number[] = [];
    let refusals = 2;
    const file = await exportFilter({
      format: "jsonl",
      plan: planOf({}, 0),
      read: async (query) => {
        if (refusals-- > 0) {
          throw new BudgetkitError({ status: 429, code: "RATE_LIMIT_EXCEEDED", message: "", retryAfterMs: 5_000 });
        }
        return read(query);
      },
      sleep: async (ms) => {
        slept.push(ms);
      },
      onProgress: () => {},
    });
    expect(slept).toEqual([5_000, 5_000]);
    expect((await file.text()).trimEnd().split("\n")).toHaveLength(1);
  });

  it("ends with the first other failure", async () => {
    const failure = new BudgetkitError({ status: 500, code: "INTERNAL_ERROR", message: "" });
    const job = {
      format: "csv" as const,
      plan: planOf({}, 0),
      read: () => Promise.reject(failure),
      sleep: async () => {},
      onProgress: () => {},
    };
    await expect(exportFilter(job)).rejects.toBe(failure);
  });
});

function pagesOf(pages: readonly (readonly BudgetEntry[])[]) {
  return async ({ cursor }: ListBudgetsQuery) => {
    const page = Number(cursor ?? 0);
    const nextCursor = page + 1 < pages.length ? String(page + 1) : null;
    const total = pages.flat().length;
    return {
      data: [...(pages[page] ?? [])],
      pagination: { page: 1, limit: 100, total, totalPages: 1, hasMore: nextCursor !== null, nextCursor },
    };
  };
}
