import {
  asDocuments,
  asOf,
  type Budget,
  type BudgetQuery,
  type BudgetSort,
  type BudgetStore,
  encodeSortKey,
  idToFind,
  type ListPart,
  listPartsOf,
  OVERDUE_PART,
  sortKeyOf,
} from "@budgetkit/core/store";
import { textToFind } from "../engine/arguments.js";
import { allOf, atLeast, atMost, behind, type Condition, equals, fact, pageAndTotal } from "../engine/conditions.js";
import type { Connection, SqlValue } from "../engine/connection.js";

/** Rows that a list shows as EXPIRED before the sweep writes it, if `valid_until` is not after the time of the list. */
export const OVERDUE = "status = 'PENDING' AND valid_until IS NOT NULL AND valid_until";

const ORDER_COLUMNS: Readonly<Record<BudgetSort, readonly string[]>> = {
  createdAt: ["created_at", "id"],
  total: ["total", "created_at", "id"],
  status: ["status", "created_at", "id"],
};

export function postgresBudgetList(connection: Connection): BudgetStore["listBudgets"] {
  return async (businessId, query) => {
    const business = idToFind(businessId);
    const counted = countQuery(business, query);
    const offset = query.position.kind === "offset" ? query.position.offset : 0;
    const limit = query.limit + 1;
    const listed = pageQuery(business, query, counted.values.length + 1, offset + limit);
    const columns = ORDER_COLUMNS[query.sort];
    const { total, rows } = await pageAndTotal(connection, {
      total: counted.sql,
      page: listed.sql,
      order: orderOf(
        columns.map((column) => `page.${column}`),
        query,
      ),
      columns: ["document"],
      values: [...counted.values, ...listed.values],
      limit,
      offset,
    });
    const documents = await asDocuments<Budget>(rows.slice(0, query.limit).map(([document]) => document));
    const entries = documents.map((budget) => asOf(budget, query.now));
    const last = entries.at(-1);
    const follows = rows.length > query.limit && last !== undefined;
    return { entries, total, nextCursor: follows ? encodeSortKey(sortKeyOf(last, query.sort)) : null };
  };
}

/** The number of rows of the stored status, corrected by the overdue ones. */
function countQuery(business: number, query: BudgetQuery): Condition {
  const stored = isAnsweredBySums(query) ? sumsQuery(business, query) : rowsQuery(business, query);
  if (query.status !== "PENDING" && query.status !== "EXPIRED") return stored;
  const overdue = allOf(filtersOf(business, query, OVERDUE_PART), stored.values.length + 1);
  return {
    sql: `SELECT (${stored.sql}) ${query.status === "PENDING" ? "-" : "+"}
      (SELECT count(*) FROM @budgets WHERE ${overdue.sql}) AS n`,
    values: [...stored.values, ...overdue.values],
  };
}

function sumsQuery(business: number, query: BudgetQuery): Condition {
  const { sql, values } = allOf([equals("business_id", business), ...statusConditions(query)]);
  return { sql: `SELECT coalesce(sum(budgets), 0)::bigint AS n FROM @budget_sums WHERE ${sql}`, values };
}

function rowsQuery(business: number, query: BudgetQuery): Condition {
  const { sql, values } = allOf(filtersOf(business, query, { status: query.status, overdue: "any" }));
  return { sql: `SELECT count(*) AS n FROM @budgets WHERE ${sql}`, values };
}

/**
 * Without a limit of their own, PostgreSQL sorts all rows of both parts. No page needs more of a part than its last
 * row's number. A list of status PENDING, for example, has one part:
 *
 *   SELECT document, created_at AS created_at, id AS id FROM @budgets
 *   WHERE business_id = $5 AND status = $6 AND (valid_until IS NULL OR valid_until > $7)
 *   ORDER BY created_at desc, id desc
 *
 * `pageAndTotal` puts it behind the count, whose values come first, and adds LIMIT and OFFSET.
 */
function pageQuery(business: number, query: BudgetQuery, first: number, reach: number): Condition {
  const order = orderOf(ORDER_COLUMNS[query.sort], query);
  const parts: string[] = [];
  const values: SqlValue[] = [];
  for (const part of listPartsOf(query)) {
    const shown = ORDER_COLUMNS[query.sort].map((column) => `${shownColumn(column, part)} AS ${column}`);
    const conditions = [...filtersOf(business, query, part), ...positionConditions(query, part)];
    const where = allOf(conditions, first + values.length);
    parts.push(`SELECT document, ${shown.join(", ")} FROM @budgets WHERE ${where.sql} ORDER BY ${order}`);
    values.push(...where.values);
  }
  const [only = "", ...others] = parts;
  if (others.length === 0) return { sql: only, values };
  const rows = parts.map((part) => `(${part} LIMIT ${reach})`).join(" UNION ALL ");
  return { sql: `SELECT * FROM (${rows}) AS listed ORDER BY ${order}`, values };
}

/** The status that the list shows, for the part of the overdue rows; else the column. */
function shownColumn(column: string, { overdue }: ListPart): string {
  return column === "status" && overdue === "only" ? `'EXPIRED'::text COLLATE "C"` : column;
}

/** The sums count budgets by status only; other filters count rows. */
function isAnsweredBySums(query: BudgetQuery): boolean {
  const { customerId, search, minTotal, maxTotal, createdAfter, createdBefore } = query;
  return [customerId, search, minTotal, maxTotal, createdAfter, createdBefore].every((filter) => filter === null);
}

function orderOf(columns: readonly string[], { order }: BudgetQuery): string {
  return columns.map((column) => `${column} ${order}`).join(", ");
}

function filtersOf(business: number, query: BudgetQuery, part: ListPart): Condition[] {
  const { customerId, search, minTotal, maxTotal, createdAfter, createdBefore } = query;
  return [
    equals("business_id", business),
    ...partConditions(query, part),
    ...(customerId === null ? [] : [equals("customer_id", textToFind(customerId))]),
    ...(minTotal === null ? [] : [atLeast("total", minTotal)]),
    ...(maxTotal === null ? [] : [atMost("total", maxTotal)]),
    ...(createdAfter === null ? [] : [atLeast("created_at", createdAfter)]),
    ...(createdBefore === null ? [] : [atMost("created_at", createdBefore)]),
    ...(search === null ? [] : [{ sql: "strpos(search_text, ?) > 0", values: [textToFind(search)] }]),
  ];
}

function partConditions(query: BudgetQuery, { status, overdue }: ListPart): Condition[] {
  if (overdue === "only") return [overdueAt(query)];
  const stored = statusConditions({ ...query, status });
  if (overdue === "any") return stored;
  const isPending = status === null ? "status <> 'PENDING' OR " : "";
  return [...stored, { sql: `(${isPending}valid_until IS NULL OR valid_until > ?)`, values: [query.now] }];
}

function overdueAt({ now }: BudgetQuery): Condition {
  return { sql: `${OVERDUE} <= ?`, values: [now] };
}

function statusConditions({ status, includeDeleted }: BudgetQuery): Condition[] {
  if (status !== null) return [equals("status", status)];
  return includeDeleted ? [] : [fact("status <> 'DELETED'")];
}

/** Within one status, the order by status is the order by creation, which an index that begins with the status has. */
function positionConditions({ position, sort, order, status }: BudgetQuery, part: ListPart): Condition[] {
  if (position.kind === "offset") return [];
  const { value, createdAt, id } = position.key;
  const isWithinStatus = sort === "status" && value === status;
  const columns = ORDER_COLUMNS[isWithinStatus ? "createdAt" : sort].map((column) => shownColumn(column, part));
  return [behind(columns, order, [value, createdAt, idToFind(id)].slice(-columns.length))];
}
