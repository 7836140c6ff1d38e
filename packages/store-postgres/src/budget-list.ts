import {
  type Budget,
  type BudgetQuery,
  type BudgetSort,
  type BudgetStore,
  encodeSortKey,
  sortKeyOf,
} from "@budgetkit/core/store";
import { allOf, atLeast, atMost, behind, type Condition, equals, fact, pageAndTotal } from "./conditions.js";
import type { Connection } from "./connection.js";
import { idToFind, textToFind } from "./ids.js";
import { asDocument } from "./rows.js";

const ORDER_COLUMNS: Readonly<Record<BudgetSort, readonly string[]>> = {
  createdAt: ["created_at", "id"],
  total: ["total", "created_at", "id"],
  status: ["status", "created_at", "id"],
};

export function postgresBudgetList(connection: Connection): BudgetStore["listBudgets"] {
  return async (businessId, query) => {
    const business = idToFind(businessId);
    const filters = filtersOf(business, query);
    const counted = allOf(
      isAnsweredBySums(query) ? [equals("business_id", business), ...statusConditions(query)] : filters,
    );
    const listed = allOf([...filters, ...positionConditions(query)], counted.values.length + 1);
    const columns = ORDER_COLUMNS[query.sort];
    const { total, rows } = await pageAndTotal(connection, {
      total: isAnsweredBySums(query)
        ? `SELECT coalesce(sum(budgets), 0)::bigint AS n FROM @budget_sums WHERE ${counted.sql}`
        : `SELECT count(*) AS n FROM @budgets WHERE ${counted.sql}`,
      page: `SELECT document, ${columns.join(", ")} FROM @budgets WHERE ${listed.sql} ORDER BY ${orderOf(columns, query)}`,
      order: orderOf(
        columns.map((column) => `page.${column}`),
        query,
      ),
      columns: ["document"],
      values: [...counted.values, ...listed.values],
      limit: query.limit + 1,
      offset: query.position.kind === "offset" ? query.position.offset : 0,
    });
    const entries = rows.slice(0, query.limit).map(([document]) => asDocument<Budget>(document));
    const last = entries.at(-1);
    const follows = rows.length > query.limit && last !== undefined;
    return { entries, total, nextCursor: follows ? encodeSortKey(sortKeyOf(last, query.sort)) : null };
  };
}

/** The sums know how many budgets a business has in each status, and nothing else of what is filtered by. */
function isAnsweredBySums(query: BudgetQuery): boolean {
  const { customerId, search, minTotal, maxTotal, createdAfter, createdBefore } = query;
  return [customerId, search, minTotal, maxTotal, createdAfter, createdBefore].every((filter) => filter === null);
}

function orderOf(columns: readonly string[], { order }: BudgetQuery): string {
  return columns.map((column) => `${column} ${order}`).join(", ");
}

function filtersOf(business: number, query: BudgetQuery): Condition[] {
  const { customerId, search, minTotal, maxTotal, createdAfter, createdBefore } = query;
  return [
    equals("business_id", business),
    ...statusConditions(query),
    ...(customerId === null ? [] : [equals("customer_id", textToFind(customerId))]),
    ...(minTotal === null ? [] : [atLeast("total", minTotal)]),
    ...(maxTotal === null ? [] : [atMost("total", maxTotal)]),
    ...(createdAfter === null ? [] : [atLeast("created_at", createdAfter)]),
    ...(createdBefore === null ? [] : [atMost("created_at", createdBefore)]),
    ...(search === null ? [] : [{ sql: "strpos(search_text, ?) > 0", values: [textToFind(search)] }]),
  ];
}

function statusConditions({ status, includeDeleted }: BudgetQuery): Condition[] {
  if (status !== null) return [equals("status", status)];
  return includeDeleted ? [] : [fact("status <> 'DELETED'")];
}

/** Within one status, a place by status is one by creation: an index that begins with the status then holds it. */
function positionConditions({ position, sort, order, status }: BudgetQuery): Condition[] {
  if (position.kind === "offset") return [];
  const { value, createdAt, id } = position.key;
  const isWithinStatus = sort === "status" && value === status;
  const columns = ORDER_COLUMNS[isWithinStatus ? "createdAt" : sort];
  return [behind(columns, order, [value, createdAt, idToFind(id)].slice(-columns.length))];
}
