import type { BudgetQuery, BudgetSort, ListPart } from "@budgetkit/core/store";
import { idToFind } from "@budgetkit/store-kit";
import { atLeast, atMost, behind, type Condition, equals, fact } from "../commit/conditions.js";
import { textToFind } from "../engine/arguments.js";

/** Rows that a list shows as EXPIRED before the sweep writes it, if `valid_until` is not after the time of the list. */
export const OVERDUE = "status = 'PENDING' AND valid_until IS NOT NULL AND valid_until";

export const ORDER_COLUMNS: Readonly<Record<BudgetSort, readonly string[]>> = {
  createdAt: ["created_at", "id"],
  total: ["total", "created_at", "id"],
  status: ["status", "created_at", "id"],
};

export function orderOf(columns: readonly string[], { order }: BudgetQuery): string {
  return columns.map((column) => `${column} ${order}`).join(", ");
}

/** The columns of the order; the status as the list shows it, for the part of the overdue rows. */
export function shownColumns(sort: BudgetSort, { overdue }: ListPart): readonly string[] {
  return ORDER_COLUMNS[sort].map((column) =>
    column === "status" && overdue === "only" ? `'EXPIRED'::text COLLATE "C"` : column,
  );
}

export function filtersOf(business: number, query: BudgetQuery, part: ListPart): Condition[] {
  return [
    ...indexedFilters(business, query, part),
    ...customerFilter(query),
    ...totalFilters(query),
    ...searchFilter(query),
  ];
}

/** The filters that every index answers. */
export function indexedFilters(business: number, query: BudgetQuery, part: ListPart): Condition[] {
  const { createdAfter, createdBefore } = query;
  return [
    equals("business_id", business),
    ...partConditions(query, part),
    ...(createdAfter === null ? [] : [atLeast("created_at", createdAfter)]),
    ...(createdBefore === null ? [] : [atMost("created_at", createdBefore)]),
  ];
}

export function customerFilter({ customerId }: BudgetQuery): Condition[] {
  return customerId === null ? [] : [equals("customer_id", textToFind(customerId))];
}

export function totalFilters({ minTotal, maxTotal }: BudgetQuery): Condition[] {
  return [
    ...(minTotal === null ? [] : [atLeast("total", minTotal)]),
    ...(maxTotal === null ? [] : [atMost("total", maxTotal)]),
  ];
}

export function searchFilter({ search }: BudgetQuery): Condition[] {
  return search === null ? [] : [{ sql: "strpos(search_text, ?) > 0", values: [textToFind(search)] }];
}

function partConditions(query: BudgetQuery, { status, overdue }: ListPart): Condition[] {
  if (overdue === "only") return [{ sql: `${OVERDUE} <= ?`, values: [query.now] }];
  const stored = statusConditions({ ...query, status });
  if (overdue === "any") return stored;
  const isPending = status === null ? "status <> 'PENDING' OR " : "";
  return [...stored, { sql: `(${isPending}valid_until IS NULL OR valid_until > ?)`, values: [query.now] }];
}

export function statusConditions({ status, includeDeleted }: BudgetQuery): Condition[] {
  if (status !== null) return [equals("status", status)];
  return includeDeleted ? [] : [fact("status <> 'DELETED'")];
}

/** Within one status, the order by status is the order by creation, which an index that begins with the status has. */
export function positionConditions({ position, sort, order, status }: BudgetQuery, part: ListPart): Condition[] {
  if (position.kind === "offset") return [];
  const { value, createdAt, id } = position.key;
  const isWithinStatus = sort === "status" && value === status;
  const columns = shownColumns(isWithinStatus ? "createdAt" : sort, part);
  return [behind(columns, order, [value, createdAt, idToFind(id)].slice(-columns.length))];
}
