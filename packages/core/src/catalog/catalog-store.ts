import type { Position } from "../kernel/list-query.js";
import type { Page } from "../kernel/page.js";
import type { CatalogKind, CatalogRecords } from "./catalog-commits.js";
import type { Customer, CustomerSummary } from "./customer.js";
import type { ProductName, ProductSummary } from "./product-summary.js";

/**
 * The port of the catalog: its reads, of deleted records too. `listRecords` returns the keyset position of the last entry,
 * by `encodeRecordKey`, as `nextCursor` if more entries follow. A search of many records may stop early, as in
 * `BudgetStore.listBudgets`.
 */
export interface CatalogStore {
  findRecord<K extends CatalogKind>(kind: K, businessId: string, id: string): Promise<CatalogRecords[K] | null>;
  /** The records of the ids that this business has, in any order. One look-up for all. */
  findRecords<K extends CatalogKind>(
    kind: K,
    businessId: string,
    ids: readonly string[],
  ): Promise<readonly CatalogRecords[K][]>;
  listRecords<K extends CatalogKind>(
    kind: K,
    businessId: string,
    query: CatalogQuery,
  ): Promise<Page<CatalogRecords[K]>>;
  /** The summaries of the ids that this business has, in any order. One look-up for all. */
  findCustomers(businessId: string, ids: readonly string[]): Promise<readonly CustomerSummary[]>;
  /** The oldest customer with this email, by `customerEmailKeyOf`, that is not deleted; of the same age the lower id. */
  findCustomerByEmail(businessId: string, emailKey: string): Promise<Customer | null>;
  /**
   * The summary of each name, as `summariesOf` makes it: of the variant, or of the product if it has no such variant.
   * Unknown products are left out. The names are distinct. Any order, one look-up for all, and the cost does not depend
   * on the size of the records.
   */
  findProductSummaries(businessId: string, names: readonly ProductName[]): Promise<readonly ProductSummary[]>;
}

export const CATALOG_SORTS = ["createdAt", "name"] as const;
export type CatalogSort = (typeof CATALOG_SORTS)[number];

/** The filters and the order of a list. Null = no such filter. */
export interface CatalogQuery {
  readonly includeDeleted: boolean; // false = without deleted records
  readonly search: string | null; // folded by foldForSearch; a substring of the search text of the kind
  readonly sort: CatalogSort;
  readonly order: "asc" | "desc";
  readonly limit: number;
  readonly position: CatalogPosition;
}

export type CatalogPosition = Position<RecordKey>;

/** A keyset position. Ties are ordered by the id as text, in the same direction. */
export interface RecordKey {
  readonly value: number | string; // createdAt (ms), or the name in lower case: see recordKeyOf
  readonly id: string;
}
