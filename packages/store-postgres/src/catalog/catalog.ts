import type { CatalogKind, CatalogRecords, CatalogStore, Customer } from "@budgetkit/core/store";
import { asDocument, idToFind } from "@budgetkit/store-kit";
import type { Connection } from "../commit/connection.js";
import { textToFind } from "../engine/arguments.js";
import { recordList } from "./catalog-list.js";
import { CUSTOMER_WITH_EMAIL } from "./catalog-writes.js";
import { CUSTOMER_SUMMARIES, customerSummaryFinder } from "./customer-summaries.js";
import { PRODUCT_SUMMARIES, productSummaryFinder } from "./product-summaries.js";
import { RECORD_KINDS } from "./record-kinds.js";

export function postgresCatalog(connection: Connection): CatalogStore {
  const reads: { readonly [K in CatalogKind]: RecordReads<K> } = {
    customer: recordReads(connection, "customer"),
    product: recordReads(connection, "product"),
    package: recordReads(connection, "package"),
  };
  const findByEmail = connection.value(
    `SELECT document FROM @customers WHERE ${CUSTOMER_WITH_EMAIL} ORDER BY created_at, id LIMIT 1`,
  );
  return {
    findRecord: (kind, businessId, id) => reads[kind].find(businessId, id),
    findRecords: (kind, businessId, ids) => reads[kind].findMany(businessId, ids),
    listRecords: (kind, businessId, query) => reads[kind].list(businessId, query),
    findCustomers: customerSummaryFinder(connection.lookUp(CUSTOMER_SUMMARIES)),
    findCustomerByEmail: async (businessId, emailKey) => {
      const document = await findByEmail(idToFind(businessId), textToFind(emailKey));
      return document === undefined ? null : asDocument<Customer>(document);
    },
    findProductSummaries: productSummaryFinder(connection.lookUp(PRODUCT_SUMMARIES)),
  };
}

type RecordReads<K extends CatalogKind> = ReturnType<typeof recordReads<K>>;

function recordReads<K extends CatalogKind>(connection: Connection, kind: K) {
  type Found = CatalogRecords[K];
  const { table } = RECORD_KINDS[kind];
  const find = connection.value(`SELECT document FROM @${table} WHERE business_id = $1 AND id = $2`);
  const findMany = connection.values(`SELECT document FROM @${table} WHERE business_id = $1 AND id = ANY ($2::text[])`);
  return {
    find: async (businessId: string, id: string): Promise<Found | null> => {
      const document = await find(idToFind(businessId), textToFind(id));
      return document === undefined ? null : asDocument<Found>(document);
    },
    findMany: async (businessId: string, ids: readonly string[]): Promise<readonly Found[]> =>
      (await findMany(idToFind(businessId), ids.map(textToFind))).map((document) => asDocument<Found>(document)),
    list: recordList<Found>(connection, table),
  };
}
