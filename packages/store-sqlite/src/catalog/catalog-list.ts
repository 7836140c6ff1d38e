import {
  type CatalogQuery,
  type CatalogRecord,
  encodeRecordKey,
  memoize,
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
import type { Connection, SqlValue } from "../engine/connection.js";
import { asLengths, countForStep, lengthsQuery, TEXT_BYTES } from "../search/compare-texts.js";
import { candidateFinder } from "../search/search-candidates.js";

/** The name of a table of records, without the prefix. */
export type CatalogTable = "customers" | "products" | "packages";

/** A condition of a WHERE clause and the values of its placeholders. */
interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A list of all records that match, or of those among the given ids. */
interface Listing {
  readonly business: number;
  readonly query: CatalogQuery;
  readonly among: readonly string[] | null;
}

const START = { kind: "offset", offset: 0 } as const;

const ORDER = { createdAt: ["created_at", "by_creation"], name: ["name_key", "by_name"] } as const;

export function sqliteRecordList<R extends CatalogRecord>(connection: Connection, name: CatalogTable) {
  const table = `budgetkit_${name}`;
  const statementOf = memoize((sql) => connection.rows(sql));
  const findCandidates = candidateFinder(connection, name, asText);

  function run(sql: string, conditions: readonly Condition[], ...rest: SqlValue[]): readonly Row[] {
    const where = conditions.map((condition) => condition.sql).join(" AND ");
    const values = conditions.flatMap((condition) => condition.values);
    return statementOf(sql.replace("WHERE", `WHERE ${where}`))(...values, ...rest);
  }

  function indexOf(index: string, { among }: Listing): string {
    return among === null ? `${table}_${index}` : `sqlite_autoindex_${table}_1`;
  }

  /** The documents of a page, and one more if others follow. */
  function documentsOf(listing: Listing, total: number): readonly unknown[] {
    const { query } = listing;
    const offset = query.position.kind === "offset" ? query.position.offset : 0;
    if (offset >= total) return [];
    const [column, index] = ORDER[query.sort];
    const sql = `SELECT document FROM ${table} INDEXED BY ${indexOf(index, listing)} WHERE
      ORDER BY ${column} ${query.order}, id ${query.order} LIMIT ? OFFSET ?`;
    const conditions = [...filtersOf(listing), ...positionConditions(query)];
    return run(sql, conditions, query.limit + 1, offset).map(([document]) => document);
  }

  async function list(listing: Listing): Promise<Page<R>> {
    const { query } = listing;
    const { total, documents } = await connection.snapshot(() => {
      const index = indexOf("by_creation", listing);
      const [row] = run(`SELECT count(*) FROM ${table} INDEXED BY ${index} WHERE`, filtersOf(listing));
      const total = asInteger(row?.[0]);
      return { total, documents: documentsOf(listing, total) };
    });
    const entries = await asDocuments<R>(documents.slice(0, query.limit));
    const last = entries.at(-1);
    const follows = documents.length > query.limit && last !== undefined;
    return { entries, total, nextCursor: follows ? encodeRecordKey(recordKeyOf(last, query.sort)) : null };
  }

  async function walk({ business, query }: Listing, text: string, limit: number): Promise<WalkStep<RecordKey>> {
    const [column, index] = ORDER[query.sort];
    const read = [...filtersOf({ business, query, among: null }), ...positionConditions(query)];
    const values = read.flatMap((condition) => condition.values);
    const from = `FROM ${table} INDEXED BY ${table}_${index} WHERE ${read.map(({ sql }) => sql).join(" AND ")}
      ORDER BY ${column} ${query.order}, id ${query.order} LIMIT ?`;
    const readLengths = statementOf(lengthsQuery(`SELECT ${TEXT_BYTES} ${from}`));
    const readMatches = statementOf(`SELECT instr(search_text, ?) > 0, ${column}, id ${from}`);
    return connection.read(() => {
      const lengths = asLengths(readLengths(...values, limit)[0]?.[0]);
      const count = countForStep(lengths);
      const rows = readMatches(text, ...values, count);
      return { rows: rows.map(asWalkedRow), isEnd: count < limit && count === lengths.length };
    });
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
    const { entries } = await list({ business, query: { ...query, position: START }, among: keys.map(({ id }) => id) });
    return { entries, ...count, nextCursor: next === null ? null : encodeRecordKey(next) };
  }

  return (businessId: string, query: CatalogQuery): Promise<Page<R>> => {
    const business = idToFind(businessId);
    return query.search === null ? list({ business, query, among: null }) : search(business, query, query.search);
  };
}

function asWalkedRow([isMatch, value, id]: Row): WalkedRow<RecordKey> {
  const key = { value: typeof value === "string" ? value : asInteger(value), id: asText(id) };
  return { key, isMatch: isMatch === 1 };
}

/** All but the search, whose matches the list is among. */
function filtersOf({ business, query: { includeDeleted }, among }: Listing): Condition[] {
  return [
    { sql: "business_id = ?", values: [business] },
    ...(among === null ? [] : [{ sql: "id IN (SELECT value FROM json_each(?))", values: [JSON.stringify(among)] }]),
    ...(includeDeleted ? [] : [{ sql: "deleted_at IS NULL", values: [] }]),
  ];
}

function positionConditions({ position, sort, order }: CatalogQuery): Condition[] {
  if (position.kind === "offset") return [];
  const { value, id } = position.key;
  return [{ sql: `(${ORDER[sort][0]}, id) ${order === "asc" ? ">" : "<"} (?, ?)`, values: [value, id] }];
}
