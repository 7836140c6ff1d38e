import type { EventToCommit } from "../events/delivery-plan.js";
import type { AuditEntry } from "../events/event.js";
import type { IdempotencyRecord } from "../idempotency/idempotency-store.js";
import type { Position } from "../kernel/list-query.js";
import type { Page } from "../kernel/page.js";
import type { Customer, CustomerSummary } from "./customer.js";
import type { Package } from "./package.js";
import type { Product } from "./product.js";
import type { ProductName, ProductSummary } from "./product-summary.js";

/**
 * The port of the catalog. Every method is atomic: the record, its events and its idempotency record become visible
 * together or not at all. Reads return deleted records too.
 *
 * The methods of all kinds have the same contract:
 *
 * - `insert…` adds a new record. Of several callers with the same id or the same unique value exactly one writes; the
 *   others get {@link Taken}. The id of a deleted record stays taken.
 * - `replace…` replaces the stored record if it is still at `expectedVersion`. Of several writers that expect the same
 *   version exactly one gets `"written"`; the others get `"stale"`. A missing record is `"stale"` too. A unique value
 *   that the record gains, by a change or by restoring, is checked: {@link Taken} if another record has it. A value that
 *   the stored record holds already is not checked again.
 * - An `audit` entry of a write commits together with it, or not at all; null = none.
 * - `list…` returns the keyset position of the last entry, by `encodeRecordKey`, as `nextCursor` if more entries follow.
 *   A search of many records may stop early, as in `BudgetStore.listBudgets`.
 *
 * Unique within a business: the values of `cuitHeldBy` of its customers, and of `skusHeldBy` of its products.
 */
export interface CatalogStore {
  readonly insertCustomer: InsertRecord<Customer>;
  readonly replaceCustomer: ReplaceRecord<Customer>;
  findCustomer(businessId: string, id: string): Promise<Customer | null>;
  /** The summaries of the ids that this business has, in any order. One look-up for all. */
  findCustomers(businessId: string, ids: readonly string[]): Promise<readonly CustomerSummary[]>;
  listCustomers(businessId: string, query: CatalogQuery): Promise<Page<Customer>>;

  readonly insertProduct: InsertRecord<Product>;
  readonly replaceProduct: ReplaceRecord<Product>;
  /** The products of the ids that this business has, in any order. One look-up for all. */
  findProducts(businessId: string, ids: readonly string[]): Promise<readonly Product[]>;
  /**
   * The summary of each name, as `summariesOf` makes it: of the variant, or of the product if it has no such variant.
   * Unknown products are left out. The names are distinct. Any order, one look-up for all, and the cost does not depend
   * on the size of the records.
   */
  findProductSummaries(businessId: string, names: readonly ProductName[]): Promise<readonly ProductSummary[]>;
  listProducts(businessId: string, query: CatalogQuery): Promise<Page<Product>>;

  readonly insertPackage: InsertRecord<Package>;
  readonly replacePackage: ReplaceRecord<Package>;
  /** As `findProducts`. */
  findPackages(businessId: string, ids: readonly string[]): Promise<readonly Package[]>;
  listPackages(businessId: string, query: CatalogQuery): Promise<Page<Package>>;
}

export type InsertRecord<R> = (
  record: R,
  events: readonly EventToCommit[],
  idempotencyRecord: IdempotencyRecord | null,
  audit?: AuditEntry | null,
) => Promise<RecordInsertOutcome>;

export type ReplaceRecord<R> = (
  record: R,
  expectedVersion: number,
  events: readonly EventToCommit[],
  idempotencyRecord: IdempotencyRecord | null,
  audit?: AuditEntry | null,
) => Promise<RecordReplaceOutcome>;

export type RecordInsertOutcome = "written" | "claim-lost" | Taken;
export type RecordReplaceOutcome = "written" | "stale" | "claim-lost" | Taken;

/** Another record of the business has this value. Nothing was written. */
export interface Taken {
  readonly taken: "id" | "cuit" | "sku";
  readonly value: string;
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
  readonly value: number | string; // createdAt (ms), or the folded name
  readonly id: string;
}
