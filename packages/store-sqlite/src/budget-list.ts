import {
  type Budget,
  type BudgetQuery,
  type BudgetSort,
  type BudgetStore,
  encodeSortKey,
  type Page,
  sortKeyOf,
} from "@budgetkit/core/store";
import type { Connection, SqlValue } from "./connection.js";
import { idToFind } from "./ids.js";
import { remembered } from "./remembered.js";
import { asDocument, asInteger } from "./rows.js";

/** A condition of a WHERE clause and the values of its placeholders. */
interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

type Index =
  | "budgetkit_budgets_by_creation"
  | "budgetkit_budgets_by_status"
  | "budgetkit_budgets_by_customer"
  | "budgetkit_budgets_by_total";

const ORDER_COLUMNS: Readonly<Record<BudgetSort, readonly string[]>> = {
  createdAt: ["created_at", "id"],
  total: ["total", "created_at", "id"],
  status: ["status", "created_at", "id"],
};

/**
 * Up to this many matches are found through their filter and then sorted; more are read in the order of the list until
 * the page is full. Either way stays quick: few rows to sort, or matches so frequent that a page is soon full.
 */
const FEW_MATCHES = 1_000;

export function sqliteBudgetList(connection: Connection): BudgetStore["listBudgets"] {
  const statementOf = remembered((sql) => connection.values(sql));

  function run(sql: string, conditions: readonly Condition[], rest: readonly SqlValue[] = []): readonly unknown[] {
    return statementOf(sql)(...conditions.flatMap((condition) => condition.values), ...rest);
  }

  function countOf(business: number, query: BudgetQuery): number {
    const [n] = isAnsweredByCounters(query)
      ? run(...countersQuery(business, query))
      : run(...countQuery(business, query));
    return asInteger(n);
  }

  function pageOf(business: number, query: BudgetQuery, total: number): Page<Budget> {
    const offset = query.position.kind === "offset" ? query.position.offset : 0;
    if (offset >= total) return { entries: [], total, nextCursor: null };
    const [sql, conditions] = pageQuery(business, query, total);
    const documents = run(sql, conditions, [query.limit + 1, offset]);
    const entries = documents.slice(0, query.limit).map((document) => asDocument<Budget>(document));
    const last = entries.at(-1);
    const follows = documents.length > query.limit && last !== undefined;
    return { entries, total, nextCursor: follows ? encodeSortKey(sortKeyOf(last, query.sort)) : null };
  }

  return (businessId, query) =>
    connection.snapshot(() => {
      const business = idToFind(businessId);
      return pageOf(business, query, countOf(business, query));
    });
}

type Query = readonly [sql: string, conditions: readonly Condition[]];

/** The counters know how many budgets a business has in each status, and nothing else. */
function isAnsweredByCounters(query: BudgetQuery): boolean {
  return narrowingIndexOf(query) === null && query.search === null;
}

function countersQuery(business: number, query: BudgetQuery): Query {
  const conditions = [equals("business_id", business), ...statusConditions(query)];
  return [`SELECT coalesce(sum(n), 0) FROM budgetkit_budget_counts WHERE ${allOf(conditions)}`, conditions];
}

function countQuery(business: number, query: BudgetQuery): Query {
  const index = narrowingIndexOf(query) ?? orderIndexOf({ ...query, sort: "createdAt" });
  const conditions = filtersOf(business, query);
  return [`SELECT count(*) FROM budgetkit_budgets INDEXED BY ${index} WHERE ${allOf(conditions)}`, conditions];
}

/** The statement of a page; LIMIT and OFFSET are its last two values. */
function pageQuery(business: number, query: BudgetQuery, total: number): Query {
  const narrowing = total <= FEW_MATCHES ? narrowingIndexOf(query) : null;
  const index = narrowing ?? orderIndexOf(query);
  const conditions = [...filtersOf(business, query), ...positionConditions(query)];
  const order = ORDER_COLUMNS[query.sort].map((column) => `${column} ${query.order}`).join(", ");
  return [
    `SELECT document FROM budgetkit_budgets INDEXED BY ${index}
     WHERE ${allOf(conditions)} ORDER BY ${order} LIMIT ? OFFSET ?`,
    conditions,
  ];
}

/** The index in which a filter, other than that of the status, picks out a stretch; null when there is none. */
function narrowingIndexOf(query: BudgetQuery): Index | null {
  if (query.customerId !== null) return "budgetkit_budgets_by_customer";
  if (query.minTotal !== null || query.maxTotal !== null) return "budgetkit_budgets_by_total";
  if (query.createdAfter === null && query.createdBefore === null) return null;
  return query.status === null ? "budgetkit_budgets_by_creation" : "budgetkit_budgets_by_status";
}

/** An index that holds the matches in the order of the list, so that nothing is sorted. */
function orderIndexOf(query: BudgetQuery): Index {
  if (query.sort === "total") return "budgetkit_budgets_by_total";
  if (query.sort === "status") return "budgetkit_budgets_by_status";
  if (query.customerId !== null) return "budgetkit_budgets_by_customer";
  return query.status === null ? "budgetkit_budgets_by_creation" : "budgetkit_budgets_by_status";
}

function filtersOf(business: number, query: BudgetQuery): Condition[] {
  return [
    equals("business_id", business),
    ...statusConditions(query),
    ...(query.customerId === null ? [] : [equals("customer_id", query.customerId)]),
    ...bounds("total", query.minTotal, query.maxTotal, query),
    ...bounds("created_at", query.createdAfter, query.createdBefore, query),
    ...(query.search === null ? [] : [{ sql: "instr(search_text, ?) > 0", values: [query.search] }]),
  ];
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

function positionConditions({ position, sort, order, status }: BudgetQuery): Condition[] {
  if (position.kind === "offset") return [];
  const { value, createdAt, id } = position.key;
  const isWithinStatus = sort === "status" && value === status;
  const columns = ORDER_COLUMNS[isWithinStatus ? "createdAt" : sort];
  const values = [value, createdAt, idToFind(id)].slice(-columns.length);
  const comparison = order === "asc" ? ">" : "<";
  return [{ sql: `(${columns.join(", ")}) ${comparison} (${columns.map(() => "?").join(", ")})`, values }];
}

function equals(column: string, value: SqlValue): Condition {
  return { sql: `${column} = ?`, values: [value] };
}

function allOf(conditions: readonly Condition[]): string {
  return conditions.map((condition) => condition.sql).join(" AND ");
}
