import {
  type CatalogQuery,
  type CatalogRecord,
  type CatalogSort,
  encodeRecordKey,
  type Page,
  type RecordKey,
  recordKeyOf,
} from "@budgetkit/core/store";
import {
  asDocuments,
  asInteger,
  asText,
  idToFind,
  type Row,
  searchList,
  type WalkedRow,
  type WalkStep,
} from "@budgetkit/store-kit";
import { allOf, behind, type Condition, equals, fact, pageAndTotal } from "../commit/conditions.js";
import type { Connection } from "../commit/connection.js";
import { textToFind } from "../engine/arguments.js";
import { candidateFinder } from "../search/search-candidates.js";

export type CatalogTable = "customers" | "products" | "packages";

/** A list of all records that match, or of those among the given ids. */
interface Listing {
  readonly business: number;
  readonly query: CatalogQuery;
  readonly among: readonly string[] | null;
}

const START = { kind: "offset", offset: 0 } as const;

const ORDER_COLUMNS: Readonly<Record<CatalogSort, string>> = { createdAt: "created_at", name: "name_key" };

export function recordList<R extends CatalogRecord>(connection: Connection, table: CatalogTable) {
  const findCandidates = candidateFinder(connection, table, asText);

  async function list(listing: Listing): Promise<Page<R>> {
    const { query } = listing;
    const filters = filtersOf(listing);
    const counted = allOf(filters);
    const listed = allOf([...filters, ...positionConditions(query)], counted.values.length + 1);
    const { total, rows } = await pageAndTotal(connection, {
      total: `SELECT count(*) AS n FROM @${table} WHERE ${counted.sql}`,
      page: `SELECT document, ${columnsOf(query).join(", ")} FROM @${table} WHERE ${listed.sql} ORDER BY ${orderOf(query)}`,
      order: orderOf(query, "page."),
      columns: ["document"],
      values: [...counted.values, ...listed.values],
      limit: query.limit + 1,
      offset: query.position.kind === "offset" ? query.position.offset : 0,
    });
    const entries = await asDocuments<R>(rows.slice(0, query.limit).map(([document]) => document));
    const last = entries.at(-1);
    const follows = rows.length > query.limit && last !== undefined;
    return { entries, total, nextCursor: follows ? encodeRecordKey(recordKeyOf(last, query.sort)) : null };
  }

  async function walk({ business, query }: Listing, text: string, limit: number): Promise<WalkStep<RecordKey>> {
    const unsearched = { business, query: { ...query, search: null }, among: null };
    const { sql, values } = allOf([...filtersOf(unsearched), ...positionConditions(query)]);
    const rows = await connection.planned(
      `SELECT strpos(search_text, $${values.length + 1}) > 0, ${columnsOf(query).join(", ")} FROM @${table}
       WHERE ${sql} ORDER BY ${orderOf(query)} LIMIT ${limit}`,
      [...values, textToFind(text)],
    );
    return { rows: rows.map(asWalkedRow), isEnd: rows.length < limit };
  }

  async function search(business: number, query: CatalogQuery, text: string): Promise<Page<R>> {
    const found = await searchList(
      {
        walk: (position, limit) => walk({ business, query: { ...query, position }, among: null }, text, limit),
        findCandidates: (trigrams) => findCandidates(business, trigrams, text),
      },
      { ...query, search: text },
    );
    if (found.kind === "candidates") return list({ business, query, among: found.ids });
    const { keys, next, ...count } = found.page;
    const among = keys.map(({ id }) => id);
    const { entries } = await list({ business, query: { ...query, position: START }, among });
    return { entries, ...count, nextCursor: next === null ? null : encodeRecordKey(next) };
  }

  return (businessId: string, query: CatalogQuery): Promise<Page<R>> => {
    const business = idToFind(businessId);
    return query.search === null ? list({ business, query, among: null }) : search(business, query, query.search);
  };
}

function asWalkedRow([isMatch, value, id]: Row): WalkedRow<RecordKey> {
  const key = { value: typeof value === "string" ? value : asInteger(value), id: asText(id) };
  return { key, isMatch: isMatch === true };
}

function columnsOf({ sort }: CatalogQuery): readonly string[] {
  return [ORDER_COLUMNS[sort], "id"];
}

function orderOf(query: CatalogQuery, prefix = ""): string {
  return columnsOf(query)
    .map((column) => `${prefix}${column} ${query.order}`)
    .join(", ");
}

function filtersOf({ business, query: { includeDeleted, search }, among }: Listing): Condition[] {
  return [
    equals("business_id", business),
    ...(among === null ? [] : [{ sql: "id = ANY (?::text[])", values: [among] }]),
    ...(includeDeleted ? [] : [fact("deleted_at IS NULL")]),
    ...(search === null ? [] : [{ sql: "strpos(search_text, ?) > 0", values: [textToFind(search)] }]),
  ];
}

function positionConditions(query: CatalogQuery): Condition[] {
  const { position, order } = query;
  if (position.kind === "offset") return [];
  const { value, id } = position.key;
  const bound = typeof value === "string" ? textToFind(value) : value;
  return [behind(columnsOf(query), order, [bound, textToFind(id)])];
}
