import {
  type CatalogQuery,
  type CatalogRecord,
  type CatalogSort,
  type DomainEvent,
  encodeRecordKey,
  type Page,
  type Receipt,
  type RecordInsertOutcome,
  type RecordReplaceOutcome,
  recordKeyOf,
} from "@budgetkit/core/store";
import { allOf, behind, type Condition, equals, fact, pageAndTotal } from "./conditions.js";
import type { Connection } from "./connection.js";
import { eventArgument } from "./events.js";
import { receiptArgument } from "./idempotency.js";
import { idToFind, idToWrite, textToFind } from "./ids.js";
import { asDocument, asOneOf, asText, field } from "./rows.js";

/** What is particular to one kind of record. */
export interface RecordKind<R extends CatalogRecord> {
  readonly name: "customer" | "product" | "package"; // as the functions that write it are named
  readonly table: "customers" | "products" | "packages";
  searchText(record: R): string;
  /** Its values among those that no other record of the business may have. */
  heldBy(record: R): readonly string[];
  /** The columns that this kind alone has. */
  ownColumnsOf(record: R): object;
  /** What else its functions take. */
  ownArgumentsOf(record: R): object;
}

/** The records of one kind; look-ups, writes and lists are alike for all. */
export function postgresRecords<R extends CatalogRecord>(connection: Connection, kind: RecordKind<R>) {
  const findDocument = connection.value(`SELECT document FROM @${kind.table} WHERE business_id = $1 AND id = $2`);
  const findDocuments = connection.values(
    `SELECT document FROM @${kind.table} WHERE business_id = $1 AND id = ANY ($2::text[])`,
  );

  function rowOf(record: R) {
    const { businessId, id, version, createdAt, deletedAt } = record;
    return {
      business_id: idToFind(businessId),
      id,
      version,
      name_key: recordKeyOf(record, "name").value,
      created_at: createdAt,
      deleted_at: deletedAt,
      held: kind.heldBy(record),
      search_text: kind.searchText(record),
      document: JSON.stringify(record),
      ...kind.ownColumnsOf(record),
    };
  }

  return {
    insert: async (
      record: R,
      events: readonly DomainEvent[],
      receipt: Receipt | null,
    ): Promise<RecordInsertOutcome> => {
      const answer = await connection.commit(`insert_${kind.name}`, idToWrite(record.businessId), {
        record: rowOf(record),
        events: events.map(eventArgument),
        receipt: receiptArgument(receipt),
        ...kind.ownArgumentsOf(record),
      });
      return asOutcome(["written", "receipt-lost"], answer);
    },

    replace: async (
      record: R,
      expectedVersion: number,
      events: readonly DomainEvent[],
      receipt: Receipt | null,
    ): Promise<RecordReplaceOutcome> => {
      const answer = await connection.commit(`replace_${kind.name}`, idToFind(record.businessId), {
        record: rowOf(record),
        expectedVersion,
        events: events.map(eventArgument),
        receipt: receiptArgument(receipt),
        ...kind.ownArgumentsOf(record),
      });
      return asOutcome(["written", "stale", "receipt-lost"], answer);
    },

    find: async (businessId: string, id: string): Promise<R | null> => {
      const document = await findDocument(idToFind(businessId), textToFind(id));
      return document === undefined ? null : asDocument<R>(document);
    },

    findMany: async (businessId: string, ids: readonly string[]): Promise<readonly R[]> =>
      (await findDocuments(idToFind(businessId), ids.map(textToFind))).map((document) => asDocument<R>(document)),

    list: recordList<R>(connection, kind.table),
  };
}

function asOutcome<const T extends string>(words: readonly T[], answer: unknown) {
  if (typeof answer === "string") return asOneOf(words, answer);
  return { taken: asOneOf(["id", "cuit", "sku"], field(answer, "taken")), value: asText(field(answer, "value")) };
}

const ORDER_COLUMNS: Readonly<Record<CatalogSort, string>> = { createdAt: "created_at", name: "name_key" };

function recordList<R extends CatalogRecord>(connection: Connection, table: RecordKind<R>["table"]) {
  return async (businessId: string, query: CatalogQuery): Promise<Page<R>> => {
    const filters = filtersOf(idToFind(businessId), query);
    const counted = allOf(filters);
    const listed = allOf([...filters, ...positionConditions(query)], counted.values.length + 1);
    const columns = [ORDER_COLUMNS[query.sort], "id"];
    const orderBy = (prefix: string) => columns.map((column) => `${prefix}${column} ${query.order}`).join(", ");
    const { total, rows } = await pageAndTotal(connection, {
      total: `SELECT count(*) AS n FROM @${table} WHERE ${counted.sql}`,
      page: `SELECT document, ${columns.join(", ")} FROM @${table} WHERE ${listed.sql} ORDER BY ${orderBy("")}`,
      order: orderBy("page."),
      columns: ["document"],
      values: [...counted.values, ...listed.values],
      limit: query.limit + 1,
      offset: query.position.kind === "offset" ? query.position.offset : 0,
    });
    const entries = rows.slice(0, query.limit).map(([document]) => asDocument<R>(document));
    const last = entries.at(-1);
    const follows = rows.length > query.limit && last !== undefined;
    return { entries, total, nextCursor: follows ? encodeRecordKey(recordKeyOf(last, query.sort)) : null };
  };
}

function filtersOf(business: number, { includeDeleted, search }: CatalogQuery): Condition[] {
  return [
    equals("business_id", business),
    ...(includeDeleted ? [] : [fact("deleted_at IS NULL")]),
    ...(search === null ? [] : [{ sql: "strpos(search_text, ?) > 0", values: [textToFind(search)] }]),
  ];
}

function positionConditions({ position, sort, order }: CatalogQuery): Condition[] {
  if (position.kind === "offset") return [];
  const { value, id } = position.key;
  const place = typeof value === "string" ? textToFind(value) : value;
  return [behind([ORDER_COLUMNS[sort], "id"], order, [place, textToFind(id)])];
}
