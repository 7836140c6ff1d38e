import type { BudgetsSort } from "../budgets-search.js";

interface Sorting {
  readonly name: "newest" | "oldest" | "largest" | "smallest" | "byStatus";
  readonly sort: BudgetsSort;
  readonly order: "asc" | "desc";
}

/** The orders that a person chooses from, by the name of their word. */
export const SORTINGS = [
  { name: "newest", sort: "createdAt", order: "desc" },
  { name: "oldest", sort: "createdAt", order: "asc" },
  { name: "largest", sort: "total", order: "desc" },
  { name: "smallest", sort: "total", order: "asc" },
  { name: "byStatus", sort: "status", order: "asc" },
] as const satisfies readonly Sorting[];

/** The value of `aria-sort` for a column of the list. */
export function sortOf(column: string, sort: BudgetsSort = "createdAt", order: "asc" | "desc" = "desc") {
  if (column !== sort) return undefined;
  return order === "asc" ? "ascending" : "descending";
}
