import { queryOptions } from "@tanstack/react-query";
import { api } from "../../start/api.js";
import { planOf } from "../budgets/budgets-plan.js";
import { type BudgetSummary, summaryOf } from "../budgets/list/budget-summary.js";
import { FIRST, loadPage } from "../budgets/list/load-page.js";

/** The offers that end within a week, the first to end first. Of a business with thousands of offers, the newest 500. */
export const expiringQuery = queryOptions({
  queryKey: ["budgets", "expiring"],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<readonly BudgetSummary[]> => {
    const plan = planOf({ view: "expiring" }, Date.now());
    const { budgets } = await loadPage((query) => api.budgets.list(query, { signal }), plan, FIRST, summaryOf);
    return [...budgets].sort((left, right) => Date.parse(left.validUntil ?? "") - Date.parse(right.validUntil ?? ""));
  },
});
