import {
  asOf,
  type Budget,
  type BudgetQuery,
  type BudgetStore,
  encodeSortKey,
  type ListPart,
  listPartsOf,
  OVERDUE_PART,
  type Page,
  type SortKey,
  sortKeyOf,
} from "@budgetkit/core/store";
import { asDocuments, asId, asInteger, idToFind, type Row, searchList, type WalkedRow } from "@budgetkit/store-kit";
import { allOf, type Condition, equals, pageAndTotal } from "../commit/conditions.js";
import type { Connection, SqlValue } from "../commit/connection.js";
import { candidateFinder } from "../search/search-candidates.js";
import {
  customerFilter,
  filtersOf,
  indexedFilters,
  ORDER_COLUMNS,
  orderOf,
  positionConditions,
  searchFilter,
  shownColumns,
  statusConditions,
  totalFilters,
} from "./budget-filters.js";

/** A list of all budgets that match, or of those among the given ids. */
interface Listing {
  readonly business: number;
  readonly query: BudgetQuery;
  readonly among: readonly number[] | null;
}

const START = { kind: "offset", offset: 0 } as const;

/** Up to this many rows are searched one by one. */
const FEW_ROWS = 1_000;

export function postgresBudgetList(connection: Connection): BudgetStore["listBudgets"] {
  const findCandidates = candidateFinder(connection, "budgets", asInteger);

  async function list(listing: Listing): Promise<Page<Budget>> {
    const { query } = listing;
    const counted = countQuery(listing);
    const offset = query.position.kind === "offset" ? query.position.offset : 0;
    const limit = query.limit + 1;
    const listed = pageQuery(listing, counted.values.length + 1, offset + limit);
    const columns = ORDER_COLUMNS[query.sort].map((column) => `page.${column}`);
    const { total, rows } = await pageAndTotal(connection, {
      total: counted.sql,
      page: listed.sql,
      order: orderOf(columns, query),
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
  }

  /** True when the other filters leave few rows to search. */
  async function isNarrow(business: number, query: BudgetQuery): Promise<boolean> {
    const { customerId, minTotal, maxTotal, createdAfter, createdBefore } = query;
    const narrowing = [customerId, minTotal, maxTotal, createdAfter, createdBefore];
    if (narrowing.every((filter) => filter === null)) return false;
    const part = { status: query.status, overdue: "any" } as const;
    const { sql, values } = allOf(filtersOf(business, { ...query, search: null }, part));
    const rows = await connection.planned(`SELECT 1 FROM @budgets WHERE ${sql} LIMIT ${FEW_ROWS + 1}`, values);
    return rows.length <= FEW_ROWS;
  }

  async function search(business: number, query: BudgetQuery, text: string): Promise<Page<Budget>> {
    const found = await searchList(
      {
        walk: async (position, limit) => {
          const { sql, values } = walkQuery(business, { ...query, position }, limit);
          const rows = await connection.planned(sql, values);
          return { rows: rows.map(asWalkedRow), isEnd: rows.length < limit };
        },
        findCandidates: (trigrams) => findCandidates(business, trigrams, text),
      },
      { ...query, search: text },
    );
    if (found.kind === "candidates") return list({ business, query, among: found.ids });
    const { keys, next, ...count } = found.page;
    const among = keys.map(({ id }) => idToFind(id));
    const { entries } = await list({ business, query: { ...query, position: START }, among });
    return { entries, ...count, nextCursor: next === null ? null : encodeSortKey(next) };
  }

  return async (businessId, query) => {
    const business = idToFind(businessId);
    const isListed = query.search === null || (await isNarrow(business, query));
    return isListed ? list({ business, query, among: null }) : search(business, query, query.search);
  };
}

function asWalkedRow([isMatch, ...columns]: Row): WalkedRow<SortKey> {
  const [createdAt, id] = columns.slice(-2);
  const [value] = columns;
  const key = {
    value: typeof value === "string" ? value : Number(value),
    createdAt: asInteger(createdAt),
    id: asId(id),
  };
  return { key, isMatch: isMatch === true };
}

/** The number of rows of the stored status, corrected by the overdue ones. */
function countQuery(listing: Listing): Condition {
  const { business, query } = listing;
  const stored = isAnsweredBySums(listing) ? sumsQuery(business, query) : rowsQuery(listing);
  if (query.status !== "PENDING" && query.status !== "EXPIRED") return stored;
  const overdue = allOf(conditionsOf(listing, OVERDUE_PART), stored.values.length + 1);
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

function rowsQuery(listing: Listing): Condition {
  const { sql, values } = allOf(conditionsOf(listing, { status: listing.query.status, overdue: "any" }));
  return { sql: `SELECT count(*) AS n FROM @budgets WHERE ${sql}`, values };
}

/**
 * No page needs more of a part than its last row's number, `reach`. A list of status PENDING, for example, has one part:
 *
 *   SELECT document, created_at AS created_at, id AS id FROM @budgets
 *   WHERE business_id = $5 AND status = $6 AND (valid_until IS NULL OR valid_until > $7)
 *   ORDER BY created_at desc, id desc
 *
 * `pageAndTotal` puts it behind the count, whose values come first, and adds LIMIT and OFFSET.
 */
function pageQuery(listing: Listing, first: number, reach: number): Condition {
  const { query } = listing;
  return merged(query, first, reach, (part) => ({
    selected: { sql: "document", values: [] },
    where: [...conditionsOf(listing, part), ...positionConditions(query, part)],
  }));
}

/** The statement of one step along the list. Filters that the order has no index for are no conditions of the step. */
function walkQuery(business: number, query: BudgetQuery, limit: number): Condition {
  const isByCustomer = query.sort === "createdAt";
  const isByTotal = query.sort === "total";
  const match = [
    ...searchFilter(query),
    ...(isByCustomer ? [] : customerFilter(query)),
    ...(isByTotal ? [] : totalFilters(query)),
  ];
  const { sql, values } = merged(query, 1, limit, (part) => ({
    selected: {
      sql: `${match.map((condition) => condition.sql).join(" AND ")} AS is_match`,
      values: match.flatMap((condition) => condition.values),
    },
    where: [
      ...indexedFilters(business, query, part),
      ...(isByCustomer ? customerFilter(query) : []),
      ...(isByTotal ? totalFilters(query) : []),
      ...positionConditions(query, part),
    ],
  }));
  return { sql: `${sql} LIMIT ${limit}`, values };
}

/**
 * The rows of all parts, in order. Without a limit of their own, PostgreSQL sorts all rows of both parts. The first
 * column is the selected one; placeholders are numbered from `first` on.
 */
function merged(
  query: BudgetQuery,
  first: number,
  reach: number,
  partOf: (part: ListPart) => { readonly selected: Condition; readonly where: readonly Condition[] },
): Condition {
  const order = orderOf(ORDER_COLUMNS[query.sort], query);
  const parts: string[] = [];
  const values: SqlValue[] = [];
  for (const part of listPartsOf(query)) {
    const names = ORDER_COLUMNS[query.sort];
    const shown = shownColumns(query.sort, part).map((column, index) => `${column} AS ${names[index]}`);
    const { selected, where } = partOf(part);
    const column = allOf([selected], first + values.length);
    values.push(...column.values);
    const condition = allOf(where, first + values.length);
    values.push(...condition.values);
    parts.push(`SELECT ${column.sql}, ${shown.join(", ")} FROM @budgets WHERE ${condition.sql} ORDER BY ${order}`);
  }
  const [only = "", ...others] = parts;
  if (others.length === 0) return { sql: only, values };
  const rows = parts.map((part) => `(${part} LIMIT ${reach})`).join(" UNION ALL ");
  return { sql: `SELECT * FROM (${rows}) AS listed ORDER BY ${order}`, values };
}

/** The sums count budgets by status only; other filters count rows. */
function isAnsweredBySums({ query, among }: Listing): boolean {
  const { customerId, search, minTotal, maxTotal, createdAfter, createdBefore } = query;
  return [among, customerId, search, minTotal, maxTotal, createdAfter, createdBefore].every((each) => each === null);
}

function conditionsOf({ business, query, among }: Listing, part: ListPart): Condition[] {
  const filters = filtersOf(business, query, part);
  return among === null ? filters : [...filters, { sql: "id = ANY (?::bigint[])", values: [among] }];
}
