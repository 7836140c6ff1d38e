import type { BudgetsSearch } from "../budgets-search.js";

/** The search with some fields set; null takes one out. */
export function changeSearch(
  search: BudgetsSearch,
  changes: { readonly [K in keyof BudgetsSearch]?: BudgetsSearch[K] | null },
): BudgetsSearch {
  return Object.fromEntries(
    Object.entries({ ...search, ...changes }).filter(([, value]) => value !== null && value !== undefined),
  );
}

const SORTING = ["sort", "order"];

/** Whether both show the same budgets, in whatever order. */
export function isSameFilter(left: BudgetsSearch, right: BudgetsSearch): boolean {
  return textOf(left) === textOf(right);
}

export function hasFilter(search: BudgetsSearch): boolean {
  return textOf(search) !== "[]";
}

function textOf(search: BudgetsSearch): string {
  const entries = Object.entries(search).filter(([name, value]) => value !== undefined && !SORTING.includes(name));
  return JSON.stringify(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}
