import {
  asOf,
  type Budget,
  type BudgetQuery,
  type BudgetStore,
  encodeSortKey,
  type ListPart,
  type ListPosition,
  listPartsOf,
  OVERDUE_PART,
  type Page,
  type SortKey,
  sortKeyOf,
} from "@budgetkit/core/store";
import { asDocuments, asId, asInteger, idToFind, type Row, type WalkedRow } from "@budgetkit/store-kit";
import { allOf, type Condition, equals, isAmong, type RunStatement, statementRunner } from "../engine/conditions.js";
import type { Connection } from "../engine/connection.js";
import { lengthsQuery, TEXT_BYTES, textComparer } from "../search/compare-texts.js";
import { candidateFinder } from "../search/search-candidates.js";
import { readStep, type StepStatements, searchedPage } from "../search/searched-page.js";
import {
  customerFilter,
  filtersOf,
  ID_INDEX,
  type Index,
  indexedFilters,
  narrowingIndexOf,
  ORDER_COLUMNS,
  OVERDUE_INDEX,
  orderIndexOf,
  positionConditions,
  shownColumns,
  statusConditions,
  tableFilters,
  totalFilters,
} from "./budget-filters.js";

/**
 * Up to this many matches are read by the index of their filter and then sorted. More matches are read in list order
 * until the page is full: they are frequent, so the page is full soon.
 */
const FEW_MATCHES = 1_000;

/** A list of all budgets that match, or of those among the given ids, whose texts were compared already. */
interface Listing {
  readonly business: number;
  readonly query: BudgetQuery;
  readonly among: readonly number[] | null;
}

export function sqliteBudgetList(connection: Connection): BudgetStore["listBudgets"] {
  const run = statementRunner(connection);
  const list = budgetLister(connection, run);
  const findFew = fewFinder(connection, run);
  const findCandidates = candidateFinder(connection, "budgets", asInteger);
  const compare = textComparer(connection, "budgets");

  async function search(business: number, given: BudgetQuery, text: string): Promise<Page<Budget>> {
    const query = { ...given, search: null };
    const few = await findFew(business, query);
    if (few !== null) {
      const among = (await compare(business, few, text)).map(asInteger);
      return list({ business, query, among });
    }
    const searched = {
      walk: (position: ListPosition, limit: number) =>
        connection.read(() => readStep(run, stepOf(business, { ...given, position }), limit, asWalkedRow)),
      findCandidates: (trigrams: readonly string[]) => findCandidates(business, trigrams, text),
      listAmong: (among: readonly number[], position: ListPosition) =>
        list({ business, query: { ...query, position }, among }),
      idOf: ({ id }: SortKey) => idToFind(id),
      encode: encodeSortKey,
    };
    return searchedPage(searched, { ...query, search: text });
  }

  return (businessId, query) => {
    const business = idToFind(businessId);
    return query.search === null ? list({ business, query, among: null }) : search(business, query, query.search);
  };
}

/** Reads a page without its search, and counts the list. */
function budgetLister(connection: Connection, run: RunStatement): (listing: Listing) => Promise<Page<Budget>> {
  /** The rows of a page, and one more if others follow. */
  function rowsOf(listing: Listing, total: number): readonly Row[] {
    const { limit, position } = listing.query;
    const offset = position.kind === "offset" ? position.offset : 0;
    if (offset >= total) return [];
    return run(pageQuery(listing, total, offset + limit + 1), limit + 1, offset);
  }

  return async (listing) => {
    const { total, rows } = await connection.snapshot(() => {
      const total = asInteger(run(countQuery(listing))[0]?.[0]);
      return { total, rows: rowsOf(listing, total) };
    });
    const { limit, now, sort } = listing.query;
    const documents = await asDocuments<Budget>(rows.slice(0, limit).map(([document]) => document));
    const entries = documents.map((budget) => asOf(budget, now));
    const last = entries.at(-1);
    const follows = rows.length > limit && last !== undefined;
    return { entries, total, nextCursor: follows ? encodeSortKey(sortKeyOf(last, sort)) : null };
  };
}

/** Finds the matches of the other filters, with the bytes of their texts; null = too many to compare, or no such filter. */
function fewFinder(connection: Connection, run: RunStatement) {
  return async (business: number, query: BudgetQuery): Promise<readonly Row[] | null> => {
    if (narrowingIndexOf(query) === null) return null;
    const status = query.status === "EXPIRED" ? null : query.status; // overdue ones are stored as PENDING
    const listing = { business, query: { ...query, status }, among: null };
    const { sql, values } = rowsQuery(listing, "id, octet_length(search_text)");
    const rows = await connection.read(() => run({ sql: `${sql} LIMIT ${FEW_MATCHES + 1}`, values }));
    return rows.length <= FEW_MATCHES ? rows : null;
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
  return { key, isMatch: isMatch === 1 };
}

/** The sums hold the number of budgets of each business, stored status and currency. */
function isAnsweredBySums({ query, among }: Listing): boolean {
  return narrowingIndexOf(query) === null && query.search === null && among === null;
}

/** The number of rows of the stored status, corrected by the overdue ones. Both counts come from an index alone. */
function countQuery(listing: Listing): Condition {
  const { business, query } = listing;
  const stored = isAnsweredBySums(listing) ? sumsQuery(business, query) : rowsQuery(listing, "count(*)");
  if (query.status !== "PENDING" && query.status !== "EXPIRED") return stored;
  const overdue = allOf(conditionsOf(listing, OVERDUE_PART));
  return {
    sql: `SELECT (${stored.sql}) ${query.status === "PENDING" ? "-" : "+"}
      (SELECT count(*) FROM budgetkit_budgets INDEXED BY ${indexOf(OVERDUE_PART, OVERDUE_INDEX, listing)}
       WHERE ${overdue.sql})`,
    values: [...stored.values, ...overdue.values],
  };
}

function sumsQuery(business: number, query: BudgetQuery): Condition {
  const { sql, values } = allOf([equals("business_id", business), ...statusConditions(query)]);
  return { sql: `SELECT coalesce(sum(budgets), 0) FROM budgetkit_budget_sums WHERE ${sql}`, values };
}

function rowsQuery(listing: Listing, selected: "count(*)" | "id, octet_length(search_text)"): Condition {
  const { query } = listing;
  const part = { status: query.status, overdue: "any" } as const;
  const index = indexOf(part, narrowingIndexOf(query) ?? orderIndexOf({ ...query, sort: "createdAt" }), listing);
  const { sql, values } = allOf(conditionsOf(listing, part));
  return { sql: `SELECT ${selected} FROM budgetkit_budgets INDEXED BY ${index} WHERE ${sql}`, values };
}

/**
 * The statement of a page. LIMIT and OFFSET are its last two values. SQLite merges the parts in their order, so it reads
 * no more of each than the page needs. Of the overdue rows it sorts the keys, and reads no more than `reach` documents. A
 * list of status PENDING, for example, has one part:
 *
 *   SELECT document, created_at, id FROM budgetkit_budgets INDEXED BY budgetkit_budgets_by_status
 *   WHERE business_id = ? AND status = ? AND (valid_until IS NULL OR valid_until > ?)
 *   ORDER BY 2 desc, 3 desc LIMIT ? OFFSET ?
 */
function pageQuery(listing: Listing, total: number, reach: number): Condition {
  const { query } = listing;
  const index = (total <= FEW_MATCHES ? narrowingIndexOf(query) : null) ?? orderIndexOf(query);
  const selects = listPartsOf(query).map((part): Condition => {
    const columns = shownColumns(query, part).join(", ");
    const { sql, values } = allOf([...conditionsOf(listing, part), ...positionConditions(query, part)]);
    const from = `FROM budgetkit_budgets INDEXED BY ${indexOf(part, index, listing)} WHERE ${sql}`;
    if (part.overdue !== "only") return { sql: `SELECT document, ${columns} ${from}`, values };
    const order = ORDER_COLUMNS[query.sort]
      .filter((column) => column !== "status")
      .map((column) => `${column} ${query.order}`);
    return {
      sql: `SELECT document, ${columns} FROM budgetkit_budgets INDEXED BY ${ID_INDEX}
        WHERE business_id = ? AND id IN (SELECT id ${from} ORDER BY ${order.join(", ")} LIMIT ?)`,
      values: [listing.business, ...values, reach],
    };
  });
  const { sql, values } = merged(selects, query);
  return { sql: `${sql} LIMIT ? OFFSET ?`, values };
}

function stepOf(business: number, query: BudgetQuery): StepStatements {
  const { sql, values } = stepQuery(business, query, { sql: TEXT_BYTES, values: [] });
  return {
    lengths: { sql: lengthsQuery(sql), values },
    rows: stepQuery(business, query, allOf(tableFilters(query))),
  };
}

function stepQuery(business: number, query: BudgetQuery, selected: Condition): Condition {
  const index = orderIndexOf(query);
  const selects = listPartsOf(query).map((part): Condition => {
    const columns = shownColumns(query, part).join(", ");
    const ranges = [
      ...(index === "budgetkit_budgets_by_customer" ? customerFilter(query) : []),
      ...(index === "budgetkit_budgets_by_total" ? totalFilters(query) : []),
    ];
    const read = allOf([...indexedFilters(business, query, part), ...ranges, ...positionConditions(query, part)]);
    const from = part.overdue === "only" ? OVERDUE_INDEX : index;
    return {
      sql: `SELECT ${selected.sql}, ${columns} FROM budgetkit_budgets INDEXED BY ${from} WHERE ${read.sql}`,
      values: [...selected.values, ...read.values],
    };
  });
  const { sql, values } = merged(selects, query);
  return { sql: `${sql} LIMIT ?`, values };
}

function merged(selects: readonly Condition[], { sort, order }: BudgetQuery): Condition {
  const columns = ORDER_COLUMNS[sort].map((_, index) => `${index + 2} ${order}`).join(", ");
  return {
    sql: `${selects.map(({ sql }) => sql).join(" UNION ALL ")} ORDER BY ${columns}`,
    values: selects.flatMap(({ values }) => values),
  };
}

function indexOf({ overdue }: ListPart, index: Index, { among }: Listing): Index {
  if (among !== null) return ID_INDEX;
  return overdue === "only" ? OVERDUE_INDEX : index;
}

function conditionsOf({ business, query, among }: Listing, part: ListPart): Condition[] {
  const filters = filtersOf(business, query, part);
  return among === null ? filters : [...filters, isAmong("id", among)];
}
