import {
  asDocuments,
  asInteger,
  asOf,
  type Budget,
  type BudgetQuery,
  type BudgetSort,
  type BudgetStore,
  encodeSortKey,
  idToFind,
  type ListPart,
  listPartsOf,
  memoize,
  OVERDUE_PART,
  type Row,
  sortKeyOf,
} from "@budgetkit/core/store";
import type { Connection, SqlValue } from "../engine/connection.js";

/** Rows that a list shows as EXPIRED before the sweep writes it. Its value is the time of the list. */
export const OVERDUE = "status = 'PENDING' AND valid_until <= ?";

/** A part of a statement and the values of its placeholders. */
interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

const OVERDUE_INDEX = "budgetkit_budgets_overdue_of_business";

type Index =
  | "budgetkit_budgets_by_creation"
  | "budgetkit_budgets_by_status"
  | "budgetkit_budgets_by_customer"
  | "budgetkit_budgets_by_total"
  | typeof OVERDUE_INDEX;

const ORDER_COLUMNS: Readonly<Record<BudgetSort, readonly string[]>> = {
  createdAt: ["created_at", "id"],
  total: ["total", "created_at", "id"],
  status: ["status", "created_at", "id"],
};

/**
 * Up to this many matches are read by the index of their filter and then sorted. More matches are read in list order
 * until the page is full: they are frequent, so the page is full soon.
 */
const FEW_MATCHES = 1_000;

export function sqliteBudgetList(connection: Connection): BudgetStore["listBudgets"] {
  const statementOf = memoize((sql) => connection.rows(sql));

  function run({ sql, values }: Condition, rest: readonly SqlValue[] = []) {
    return statementOf(sql)(...values, ...rest);
  }

  function countOf(business: number, query: BudgetQuery): number {
    return asInteger(run(countQuery(business, query))[0]?.[0]);
  }

  /** The rows of a page, and one more if others follow. */
  function rowsOf(business: number, query: BudgetQuery, total: number): readonly Row[] {
    const offset = query.position.kind === "offset" ? query.position.offset : 0;
    if (offset >= total) return [];
    return run(pageQuery(business, query, total), [query.limit + 1, offset]);
  }

  return async (businessId, query) => {
    const { total, rows } = await connection.snapshot(() => {
      const business = idToFind(businessId);
      const total = countOf(business, query);
      return { total, rows: rowsOf(business, query, total) };
    });
    const documents = await asDocuments<Budget>(rows.slice(0, query.limit).map(([document]) => document));
    const entries = documents.map((budget) => asOf(budget, query.now));
    const last = entries.at(-1);
    const follows = rows.length > query.limit && last !== undefined;
    return { entries, total, nextCursor: follows ? encodeSortKey(sortKeyOf(last, query.sort)) : null };
  };
}

/** The counters hold the number of budgets of each business and stored status. */
function isAnsweredByCounters(query: BudgetQuery): boolean {
  return narrowingIndexOf(query) === null && query.search === null;
}

/** The number of rows of the stored status, corrected by the overdue ones. Both counts come from an index alone. */
function countQuery(business: number, query: BudgetQuery): Condition {
  const stored = isAnsweredByCounters(query) ? countersQuery(business, query) : rowsQuery(business, query);
  if (query.status !== "PENDING" && query.status !== "EXPIRED") return stored;
  const overdue = allOf(filtersOf(business, query, OVERDUE_PART));
  return {
    sql: `SELECT (${stored.sql}) ${query.status === "PENDING" ? "-" : "+"}
      (SELECT count(*) FROM budgetkit_budgets INDEXED BY ${OVERDUE_INDEX} WHERE ${overdue.sql})`,
    values: [...stored.values, ...overdue.values],
  };
}

function countersQuery(business: number, query: BudgetQuery): Condition {
  const { sql, values } = allOf([equals("business_id", business), ...statusConditions(query)]);
  return { sql: `SELECT coalesce(sum(n), 0) FROM budgetkit_budget_counts WHERE ${sql}`, values };
}

function rowsQuery(business: number, query: BudgetQuery): Condition {
  const index = narrowingIndexOf(query) ?? orderIndexOf({ ...query, sort: "createdAt" });
  const { sql, values } = allOf(filtersOf(business, query, { status: query.status, overdue: "any" }));
  return { sql: `SELECT count(*) FROM budgetkit_budgets INDEXED BY ${index} WHERE ${sql}`, values };
}

/**
 * The statement of a page. LIMIT and OFFSET are its last two values. SQLite merges the parts in their order, so it reads
 * no more of each than the page needs; only overdue rows are sorted. A list of status PENDING, for example, has one part:
 *
 *   SELECT document, created_at, id FROM budgetkit_budgets INDEXED BY budgetkit_budgets_by_status
 *   WHERE business_id = ? AND status = ? AND (valid_until IS NULL OR valid_until > ?)
 *   ORDER BY 2 desc, 3 desc LIMIT ? OFFSET ?
 */
function pageQuery(business: number, query: BudgetQuery, total: number): Condition {
  const index = (total <= FEW_MATCHES ? narrowingIndexOf(query) : null) ?? orderIndexOf(query);
  const selects = listPartsOf(query).map((part): Condition => {
    const columns = ORDER_COLUMNS[query.sort].map((column) => shownColumn(column, part));
    const { sql, values } = allOf([...filtersOf(business, query, part), ...positionConditions(query, part)]);
    return {
      sql: `SELECT document, ${columns.join(", ")} FROM budgetkit_budgets INDEXED BY ${indexOf(part, index)} WHERE ${sql}`,
      values,
    };
  });
  const order = ORDER_COLUMNS[query.sort].map((_, index) => `${index + 2} ${query.order}`).join(", ");
  return {
    sql: `${selects.map(({ sql }) => sql).join(" UNION ALL ")} ORDER BY ${order} LIMIT ? OFFSET ?`,
    values: selects.flatMap(({ values }) => values),
  };
}

function indexOf({ overdue }: ListPart, index: Index): Index {
  return overdue === "only" ? OVERDUE_INDEX : index;
}

/** The status that the list shows, for the part of the overdue rows; else the column. */
function shownColumn(column: string, { overdue }: ListPart): string {
  return column === "status" && overdue === "only" ? "'EXPIRED'" : column;
}

/** The index for the range of a filter other than the status; null = no such filter. */
function narrowingIndexOf(query: BudgetQuery): Index | null {
  if (query.customerId !== null) return "budgetkit_budgets_by_customer";
  if (query.minTotal !== null || query.maxTotal !== null) return "budgetkit_budgets_by_total";
  if (query.createdAfter === null && query.createdBefore === null) return null;
  return query.status === null ? "budgetkit_budgets_by_creation" : "budgetkit_budgets_by_status";
}

/** The index that holds the matches in list order, so that SQLite does not sort. */
function orderIndexOf(query: BudgetQuery): Index {
  if (query.sort === "total") return "budgetkit_budgets_by_total";
  if (query.sort === "status") return "budgetkit_budgets_by_status";
  if (query.customerId !== null) return "budgetkit_budgets_by_customer";
  return query.status === null ? "budgetkit_budgets_by_creation" : "budgetkit_budgets_by_status";
}

function filtersOf(business: number, query: BudgetQuery, part: ListPart): Condition[] {
  return [
    equals("business_id", business),
    ...partConditions(query, part),
    ...(query.customerId === null ? [] : [equals("customer_id", query.customerId)]),
    ...bounds("total", query.minTotal, query.maxTotal, query),
    ...bounds("created_at", query.createdAfter, query.createdBefore, query),
    ...(query.search === null ? [] : [{ sql: "instr(search_text, ?) > 0", values: [query.search] }]),
  ];
}

function partConditions(query: BudgetQuery, { status, overdue }: ListPart): Condition[] {
  if (overdue === "only") return [{ sql: OVERDUE, values: [query.now] }];
  const stored = statusConditions({ ...query, status });
  if (overdue === "any") return stored;
  const isPending = status === null ? "status <> 'PENDING' OR " : "";
  return [...stored, { sql: `(${isPending}valid_until IS NULL OR valid_until > ?)`, values: [query.now] }];
}

function statusConditions({ status, includeDeleted }: BudgetQuery): Condition[] {
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

function positionConditions({ position, sort, order, status }: BudgetQuery, part: ListPart): Condition[] {
  if (position.kind === "offset") return [];
  const { value, createdAt, id } = position.key;
  const isWithinStatus = sort === "status" && value === status;
  const columns = ORDER_COLUMNS[isWithinStatus ? "createdAt" : sort].map((column) => shownColumn(column, part));
  const values = [value, createdAt, idToFind(id)].slice(-columns.length);
  const comparison = order === "asc" ? ">" : "<";
  return [{ sql: `(${columns.join(", ")}) ${comparison} (${columns.map(() => "?").join(", ")})`, values }];
}

function equals(column: string, value: SqlValue): Condition {
  return { sql: `${column} = ?`, values: [value] };
}

function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => sql).join(" AND "),
    values: conditions.flatMap(({ values }) => values),
  };
}
