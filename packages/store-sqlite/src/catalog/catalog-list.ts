import {
  type CatalogQuery,
  type CatalogRecord,
  encodeRecordKey,
  type Page,
  type RecordKey,
  recordKeyOf,
} from "@budgetkit/core/store";
import { asDocuments, asInteger, asText, idToFind, type Row, type WalkedRow } from "@budgetkit/store-kit";
import { allOf, type Condition, equals, isAmong, type RunStatement, statementRunner } from "../engine/conditions.js";
import type { Connection } from "../engine/connection.js";
import { lengthsQuery, TEXT_BYTES } from "../search/compare-texts.js";
import { candidateFinder } from "../search/search-candidates.js";
import { readStep, type StepStatements, searchedPage } from "../search/searched-page.js";

/** The name of a table of records, without the prefix. */
export type CatalogTable = "customers" | "products" | "packages";

/** A list of all records that match, or of those among the given ids. */
interface Listing {
  readonly business: number;
  readonly query: CatalogQuery;
  readonly among: readonly string[] | null;
}

const ORDER = { createdAt: ["created_at", "by_creation"], name: ["name_key", "by_name"] } as const;

export function sqliteRecordList<R extends CatalogRecord>(connection: Connection, name: CatalogTable) {
  const run = statementRunner(connection);
  const list = recordLister<R>(connection, name, run);
  const findCandidates = candidateFinder(connection, name, asText);

  return (businessId: string, query: CatalogQuery): Promise<Page<R>> => {
    const business = idToFind(businessId);
    const { search } = query;
    if (search === null) return list({ business, query, among: null });
    const searched = {
      walk: (position: CatalogQuery["position"], limit: number) =>
        connection.read(() =>
          readStep(run, stepOf(name, business, { ...query, position }, search), limit, asWalkedRow),
        ),
      findCandidates: (trigrams: readonly string[]) => findCandidates(business, trigrams, search),
      listAmong: (among: readonly string[], position: CatalogQuery["position"]) =>
        list({ business, query: { ...query, position }, among }),
      idOf: ({ id }: RecordKey) => id,
      encode: encodeRecordKey,
    };
    return searchedPage(searched, { ...query, search });
  };
}

/** Reads a page without its search, and counts the list. */
function recordLister<R extends CatalogRecord>(connection: Connection, name: CatalogTable, run: RunStatement) {
  const indexOf = (index: string, { among }: Listing): string =>
    among === null ? `budgetkit_${name}_${index}` : `sqlite_autoindex_budgetkit_${name}_1`;

  function count(listing: Listing): number {
    const { sql, values } = allOf(filtersOf(listing));
    const index = indexOf("by_creation", listing);
    const [row] = run({ sql: `SELECT count(*) FROM budgetkit_${name} INDEXED BY ${index} WHERE ${sql}`, values });
    return asInteger(row?.[0]);
  }

  /** The documents of a page, and one more if others follow. */
  function documentsOf(listing: Listing, total: number): readonly unknown[] {
    const { query } = listing;
    const offset = query.position.kind === "offset" ? query.position.offset : 0;
    if (offset >= total) return [];
    const [column, index] = ORDER[query.sort];
    const { sql, values } = allOf([...filtersOf(listing), ...positionConditions(query)]);
    const page = `SELECT document FROM budgetkit_${name} INDEXED BY ${indexOf(index, listing)} WHERE ${sql}
      ORDER BY ${column} ${query.order}, id ${query.order} LIMIT ? OFFSET ?`;
    return run({ sql: page, values }, query.limit + 1, offset).map(([document]) => document);
  }

  return async (listing: Listing): Promise<Page<R>> => {
    const { query } = listing;
    const { total, documents } = await connection.snapshot(() => {
      const total = count(listing);
      return { total, documents: documentsOf(listing, total) };
    });
    const entries = await asDocuments<R>(documents.slice(0, query.limit));
    const last = entries.at(-1);
    const follows = documents.length > query.limit && last !== undefined;
    return { entries, total, nextCursor: follows ? encodeRecordKey(recordKeyOf(last, query.sort)) : null };
  };
}

function stepOf(name: CatalogTable, business: number, query: CatalogQuery, text: string): StepStatements {
  const [column, index] = ORDER[query.sort];
  const { sql, values } = allOf([...filtersOf({ business, query, among: null }), ...positionConditions(query)]);
  const from = `FROM budgetkit_${name} INDEXED BY budgetkit_${name}_${index} WHERE ${sql}
    ORDER BY ${column} ${query.order}, id ${query.order} LIMIT ?`;
  return {
    lengths: { sql: lengthsQuery(`SELECT ${TEXT_BYTES} ${from}`), values },
    rows: { sql: `SELECT instr(search_text, ?) > 0, ${column}, id ${from}`, values: [text, ...values] },
  };
}

function asWalkedRow([isMatch, value, id]: Row): WalkedRow<RecordKey> {
  const key = { value: typeof value === "string" ? value : asInteger(value), id: asText(id) };
  return { key, isMatch: isMatch === 1 };
}

/** All but the search, whose matches the list is among. */
function filtersOf({ business, query: { includeDeleted }, among }: Listing): Condition[] {
  return [
    equals("business_id", business),
    ...(among === null ? [] : [isAmong("id", among)]),
    ...(includeDeleted ? [] : [{ sql: "deleted_at IS NULL", values: [] }]),
  ];
}

function positionConditions({ position, sort, order }: CatalogQuery): Condition[] {
  if (position.kind === "offset") return [];
  const { value, id } = position.key;
  return [{ sql: `(${ORDER[sort][0]}, id) ${order === "asc" ? ">" : "<"} (?, ?)`, values: [value, id] }];
}
