import type { BudgetQuery, BudgetSort, ListPart } from "@budgetkit/core/store";
import { idToFind } from "@budgetkit/store-kit";
import { type Condition, equals } from "../engine/conditions.js";

/** Rows that a list shows as EXPIRED before the sweep writes it. Its value is the time of the list. */
export const OVERDUE = "status = 'PENDING' AND valid_until <= ?";

export const OVERDUE_INDEX = "budgetkit_budgets_overdue_of_business";

/** The index of the primary key. */
export const ID_INDEX = "sqlite_autoindex_budgetkit_budgets_1";

export type Index =
  | "budgetkit_budgets_by_creation"
  | "budgetkit_budgets_by_status"
  | "budgetkit_budgets_by_customer"
  | "budgetkit_budgets_by_total"
  | typeof OVERDUE_INDEX
  | typeof ID_INDEX;

export const ORDER_COLUMNS: Readonly<Record<BudgetSort, readonly string[]>> = {
  createdAt: ["created_at", "id"],
  total: ["total", "created_at", "id"],
  status: ["status", "created_at", "id"],
};

/** The status that the list shows, for the part of the overdue rows; else the column. */
export function shownColumns({ sort }: Pick<BudgetQuery, "sort">, { overdue }: ListPart): readonly string[] {
  return ORDER_COLUMNS[sort].map((column) => (column === "status" && overdue === "only" ? "'EXPIRED'" : column));
}

/** The index for the range of a filter other than the status; null = no such filter. */
export function narrowingIndexOf(query: BudgetQuery): Index | null {
  if (query.customerId !== null) return "budgetkit_budgets_by_customer";
  if (query.minTotal !== null || query.maxTotal !== null) return "budgetkit_budgets_by_total";
  if (query.createdAfter === null && query.createdBefore === null) return null;
  return query.status === null ? "budgetkit_budgets_by_creation" : "budgetkit_budgets_by_status";
}

/** The index that holds the matches in list order, so that SQLite does not sort. */
export function orderIndexOf(query: BudgetQuery): Index {
  if (query.sort === "total") return "budgetkit_budgets_by_total";
  if (query.sort === "status") return "budgetkit_budgets_by_status";
  if (query.customerId !== null) return "budgetkit_budgets_by_customer";
  return query.status === null ? "budgetkit_budgets_by_creation" : "budgetkit_budgets_by_status";
}

export function filtersOf(business: number, query: BudgetQuery, part: ListPart): Condition[] {
  return [...indexedFilters(business, query, part), ...tableFilters(query)];
}

/** The filters that every index answers. */
export function indexedFilters(business: number, query: BudgetQuery, part: ListPart): Condition[] {
  return [
    equals("business_id", business),
    ...partConditions(query, part),
    ...bounds("created_at", query.createdAfter, query.createdBefore, query),
  ];
}

/** The filters for which an index other than their own reads the table. */
export function tableFilters(query: BudgetQuery): Condition[] {
  return [...customerFilter(query), ...totalFilters(query), ...searchFilter(query)];
}

export function customerFilter({ customerId }: BudgetQuery): Condition[] {
  return customerId === null ? [] : [equals("customer_id", customerId)];
}

export function totalFilters(query: BudgetQuery): Condition[] {
  return bounds("total", query.minTotal, query.maxTotal, query);
}

function searchFilter({ search }: BudgetQuery): Condition[] {
  return search === null ? [] : [{ sql: "instr(search_text, ?) > 0", values: [search] }];
}

function partConditions(query: BudgetQuery, { status, overdue }: ListPart): Condition[] {
  if (overdue === "only") return [{ sql: OVERDUE, values: [query.now] }];
  const stored = statusConditions({ ...query, status });
  if (overdue === "any") return stored;
  const isPending = status === null ? "status <> 'PENDING' OR " : "";
  return [...stored, { sql: `(${isPending}valid_until IS NULL OR valid_until > ?)`, values: [query.now] }];
}

export function statusConditions({ status, includeDeleted }: BudgetQuery): Condition[] {
  if (status !== null) return [equals("status", status)];
  return includeDeleted ? [] : [{ sql: "status <> 'DELETED'", values: [] }];
}

/**
 * SQLite enters an index by one lower and one upper bound. Behind a cursor the bound to enter by is the cursor's; the
 * plus keeps the filter's bound on that side from being taken instead, which would walk through all earlier pages.
 */
function bounds(column: string, lower: number | null, upper: number | null, query: BudgetQuery): Condition[] {
  const resumes = query.position.kind === "after";
  const lowerColumn = resumes && query.order === "asc" ? `+${column}` : column;
  const upperColumn = resumes && query.order === "desc" ? `+${column}` : column;
  return [
    ...(lower === null ? [] : [{ sql: `${lowerColumn} >= ?`, values: [lower] }]),
    ...(upper === null ? [] : [{ sql: `${upperColumn} <= ?`, values: [upper] }]),
  ];
}

export function positionConditions({ position, sort, order, status }: BudgetQuery, part: ListPart): Condition[] {
  if (position.kind === "offset") return [];
  const { value, createdAt, id } = position.key;
  const isWithinStatus = sort === "status" && value === status;
  const shownSort = isWithinStatus ? "createdAt" : sort;
  const columns = shownColumns({ sort: shownSort }, part);
  const values = [value, createdAt, idToFind(id)].slice(-columns.length);
  const comparison = order === "asc" ? ">" : "<";
  return [{ sql: `(${columns.join(", ")}) ${comparison} (${columns.map(() => "?").join(", ")})`, values }];
}
