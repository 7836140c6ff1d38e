import type { BudgetEntry, CursorPage, ListBudgetsQuery } from "@budgetkit/client";
import { describe, expect, it } from "vitest";
import { planOf } from "../budgets-plan.js";
import { FIRST, loadPage } from "./load-page.js";

const NOW = Date.parse("2026-11-26T15:00:00Z");

function budget(id: number, fields: Partial<BudgetEntry> = {}): BudgetEntry {
  return {
    id: String(id),
    version: 1,
    revision: 1,
    customerId: "7",
    status: "PENDING",
    total: 100,
    subtotal: 100,
    tax: 0,
    paid: 0,
    currency: "ARS",
    validUntil: null,
    notes: null,
    createdAt: "2026-11-01T00:00:00.000Z",
    updatedAt: "2026-11-01T00:00:00.000Z",
    acceptance: null,
    customer: { id: "7", name: "Ana", email: null },
    items: [],
    availableActions: [],
    ...fields,
  };
}

/** A service whose lists have so many pages of so many budgets, by status. */
function service(pages: readonly (readonly BudgetEntry[])[]) {
  const asked: ListBudgetsQuery[] = [];
  const read = async (query: ListBudgetsQuery): Promise<CursorPage<BudgetEntry>> => {
    asked.push(query);
    const page = Number(query.cursor ?? 0);
    const data = (pages[page] ?? []).filter(({ status }) => query.status === undefined || status === query.status);
    const nextCursor = page + 1 < pages.length ? String(page + 1) : null;
    const total = pages.flat().length;
    const pagination = { page: 1, limit: 100, total, totalPages: 1, hasMore: nextCursor !== null, nextCursor };
    return { data, pagination };
  };
  return { asked, read };
}

const idOf = ({ id }: BudgetEntry) => id;

describe("loadPage", () => {
  it("reads one page at a time, and says where the next one begins", async () => {
    const { read, asked } = service([Array.from({ length: 100 }, (_, id) => budget(id)), [budget(100)]]);
    const page = await loadPage(read, planOf({}, NOW), FIRST, idOf);
    expect(page.budgets).toHaveLength(100);
    expect(page.next).toEqual({ list: 0, cursor: "1" });
    const last = await loadPage(read, planOf({}, NOW), page.next ?? FIRST, idOf);
    expect(last).toMatchObject({ budgets: ["100"], next: null });
    expect(asked).toHaveLength(2);
  });

  it("reads on while too few are picked out, but at most five pages at once", async () => {
    const { read, asked } = service(Array.from({ length: 20 }, (_, id) => [budget(id)]));
    const page = await loadPage(read, planOf({ currency: "USD" }, NOW), FIRST, idOf);
    expect(page).toMatchObject({ budgets: [], next: { list: 0, cursor: "5" } });
    expect(asked).toHaveLength(5);
  });

  it("picks out waiting offers that end within a week", async () => {
    const { read, asked } = service([
      [
        budget(1, { validUntil: "2026-11-30T00:00:00Z" }),
        budget(2, { validUntil: "2026-12-30T00:00:00Z" }),
        budget(3, { validUntil: "2026-11-25T00:00:00Z" }),
        budget(4),
      ],
    ]);
    const page = await loadPage(read, planOf({ view: "expiring" }, NOW), FIRST, idOf);
    expect(page.budgets).toEqual(["1"]);
    expect(asked[0]).toMatchObject({ status: "PENDING" });
  });

  it("reads accepted, completed and archived budgets after one another for what is to collect", async () => {
    const { read } = service([
      [
        budget(1, { status: "ARCHIVED", paid: 20 }),
        budget(2, { status: "APPROVED", paid: 100 }),
        budget(3, { status: "APPROVED", payable: 90, paid: 30 }),
        budget(4, { status: "COMPLETED" }),
        budget(5),
      ],
    ]);
    const page = await loadPage(read, planOf({ view: "collect" }, NOW), FIRST, idOf);
    expect(page).toMatchObject({ budgets: ["3", "4", "1"], next: null });
  });

  it("asks for deleted budgets and shows them alone, where that is the status", async () => {
    const { read, asked } = service([[budget(1), budget(2, { status: "DELETED" })]]);
    const page = await loadPage(read, planOf({ status: "DELETED" }, NOW), FIRST, idOf);
    expect(page.budgets).toEqual(["2"]);
    expect(asked[0]).toMatchObject({ includeDeleted: true });
    expect(asked[0]).not.toHaveProperty("status");
  });
});
