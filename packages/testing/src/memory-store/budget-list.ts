import {
  type Budget,
  type BudgetQuery,
  compareSortKeys,
  encodeSortKey,
  fromMinor,
  type ListPosition,
  type Page,
  type SortKey,
  searchTextOf,
  sortKeyOf,
} from "@budgetkit/core/store";

interface Entry {
  readonly budget: Budget;
  readonly key: SortKey;
}

/** A list query by definition: filter, sort, cut the page. */
export function pageOfBudgets(budgets: readonly Budget[], query: BudgetQuery): Page<Budget> {
  const direction = query.order === "asc" ? 1 : -1;
  const compare = (a: SortKey, b: SortKey): number => direction * compareSortKeys(a, b);
  const entries = budgets
    .filter((budget) => matches(budget, query))
    .map((budget): Entry => ({ budget, key: sortKeyOf(budget, query.sort) }))
    .sort((a, b) => compare(a.key, b.key));
  const rest = restFrom(entries, query.position, compare);
  const page = rest.slice(0, query.limit);
  const last = page.at(-1);
  return {
    entries: page.map((entry) => entry.budget),
    total: entries.length,
    nextCursor: last !== undefined && rest.length > page.length ? encodeSortKey(last.key) : null,
  };
}

function restFrom(
  entries: readonly Entry[],
  position: ListPosition,
  compare: (a: SortKey, b: SortKey) => number,
): readonly Entry[] {
  if (position.kind === "offset") return entries.slice(position.offset);
  return entries.filter((entry) => compare(entry.key, position.key) > 0);
}

function matches(budget: Budget, query: BudgetQuery): boolean {
  const total = fromMinor(budget.total, budget.currency);
  return (
    (query.status === null ? query.includeDeleted || budget.status !== "DELETED" : budget.status === query.status) &&
    (query.customerId === null || budget.customerId === query.customerId) &&
    (query.search === null || searchTextOf(budget).includes(query.search)) &&
    (query.minTotal === null || total >= query.minTotal) &&
    (query.maxTotal === null || total <= query.maxTotal) &&
    (query.createdAfter === null || budget.createdAt >= query.createdAfter) &&
    (query.createdBefore === null || budget.createdAt <= query.createdBefore)
  );
}
