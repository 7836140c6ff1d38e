import type { Budget } from "../../budgets/budget.js";
import type { BudgetQuery, ListPosition, SortKey } from "../../budgets/budget-store.js";
import { compareSortKeys, encodeSortKey, searchTextOf, sortKeyOf } from "../../budgets/list-order.js";
import { fromMinor } from "../../kernel/money.js";
import type { Page } from "../../kernel/page.js";

interface Place {
  readonly budget: Budget;
  readonly key: SortKey;
}

/** What a list query means, spelled out: filter everything, order it, cut the page. */
export function pageOfBudgets(budgets: readonly Budget[], query: BudgetQuery): Page<Budget> {
  const direction = query.order === "asc" ? 1 : -1;
  const compare = (a: SortKey, b: SortKey): number => direction * compareSortKeys(a, b);
  const places = budgets
    .filter((budget) => matches(budget, query))
    .map((budget): Place => ({ budget, key: sortKeyOf(budget, query.sort) }))
    .sort((a, b) => compare(a.key, b.key));
  const rest = restFrom(places, query.position, compare);
  const page = rest.slice(0, query.limit);
  const last = page.at(-1);
  return {
    entries: page.map((place) => place.budget),
    total: places.length,
    nextCursor: last !== undefined && rest.length > page.length ? encodeSortKey(last.key) : null,
  };
}

function restFrom(
  places: readonly Place[],
  position: ListPosition,
  compare: (a: SortKey, b: SortKey) => number,
): readonly Place[] {
  if (position.kind === "offset") return places.slice(position.offset);
  return places.filter((place) => compare(place.key, position.key) > 0);
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
