import {
  type AuditEntry,
  asDocument,
  type CatalogRecord,
  type EventToCommit,
  type IdempotencyRecord,
  idToFind,
  idToWrite,
  type RecordInsertOutcome,
  type RecordReplaceOutcome,
  recordKeyOf,
} from "@budgetkit/core/store";
import { textToFind } from "../engine/arguments.js";
import type { Connection } from "../engine/connection.js";
import { auditArgument, eventRows, reportedPlans } from "../events/events.js";
import { receiptArgument } from "../events/idempotency.js";
import { CATALOG_COMMITS } from "./catalog-functions.js";
import { type CatalogTable, recordList } from "./catalog-list.js";

/** How one kind of record differs from the others. */
export interface RecordKind<R extends CatalogRecord> {
  readonly name: "customer" | "product" | "package"; // in the names of the functions
  readonly table: CatalogTable;
  searchText(record: R): string;
  /** The values that no other record of the business may have. */
  heldBy(record: R): readonly string[];
  /** The columns that only this kind has. */
  ownColumnsOf(record: R): object;
  /** Further arguments of its functions. */
  ownArgumentsOf(record: R): object;
}

/** Look-ups, writes and lists of one kind of record. */
export function postgresRecords<R extends CatalogRecord>(connection: Connection, kind: RecordKind<R>) {
  const commit = connection.commits(CATALOG_COMMITS);
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
      events: readonly EventToCommit[],
      receipt: IdempotencyRecord | null,
      audit: AuditEntry | null = null,
    ): Promise<RecordInsertOutcome> => {
      const argument = {
        record: rowOf(record),
        events: eventRows(connection, events),
        receipt: receiptArgument(receipt),
        audit: auditArgument(audit),
        ...kind.ownArgumentsOf(record),
      };
      return commit(`insert_${kind.name}`, idToWrite(record.businessId), argument, { planned: reportedPlans(events) });
    },

    replace: async (
      record: R,
      expectedVersion: number,
      events: readonly EventToCommit[],
      receipt: IdempotencyRecord | null,
      audit: AuditEntry | null = null,
    ): Promise<RecordReplaceOutcome> => {
      const argument = {
        record: rowOf(record),
        expectedVersion,
        events: eventRows(connection, events),
        receipt: receiptArgument(receipt),
        audit: auditArgument(audit),
        ...kind.ownArgumentsOf(record),
      };
      return commit(`replace_${kind.name}`, idToFind(record.businessId), argument, { planned: reportedPlans(events) });
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
