import type { DomainEvent } from "../events/event.js";
import type { Receipt } from "../idempotency/idempotency-store.js";
import type { Page } from "../kernel/page.js";
import type { Customer, CustomerSummary } from "./customer.js";
import type { Package } from "./package.js";
import type { Product } from "./product.js";
import type { ProductName, ProductSummary } from "./product-summary.js";

/**
 * What the catalog needs of a store. Every method is atomic: the record, its events and its receipt become visible
 * together or not at all. Records are found whether they are deleted or not.
 *
 * For each kind alike:
 *
 * - `insert…` adds a new record. Of several that bring the same id, or the same value that must be unique, exactly one is
 *   written; the others are told what is taken. An id stays taken when its record is deleted.
 * - `replace…` puts the record in the place of the stored one if that is still at `expectedVersion`. Of several writers
 *   that expect the same version exactly one gets `"written"`; the others get `"stale"`, as does a record that is not
 *   there. Whoever takes up a value that must be unique, by a change or by the end of a deletion, is told when another
 *   has it; a value that the stored record holds already is not asked about again.
 * - `list…` gives as `nextCursor` the last entry's place, by `encodeRecordKey`, when more entries follow the page.
 *
 * Unique in a business are what `cuitHeldBy` gives of its customers, and what `skusHeldBy` gives of its products.
 */
export interface CatalogStore {
  insertCustomer(
    customer: Customer,
    events: readonly DomainEvent[],
    receipt: Receipt | null,
  ): Promise<RecordInsertOutcome>;
  replaceCustomer(
    customer: Customer,
    expectedVersion: number,
    events: readonly DomainEvent[],
    receipt: Receipt | null,
  ): Promise<RecordReplaceOutcome>;
  findCustomer(businessId: string, id: string): Promise<Customer | null>;
  /** Those of the ids that this business has, in any order; one look-up for all, and no more than budgets show. */
  findCustomers(businessId: string, ids: readonly string[]): Promise<readonly CustomerSummary[]>;
  listCustomers(businessId: string, query: CatalogQuery): Promise<Page<Customer>>;

  insertProduct(
    product: Product,
    events: readonly DomainEvent[],
    receipt: Receipt | null,
  ): Promise<RecordInsertOutcome>;
  replaceProduct(
    product: Product,
    expectedVersion: number,
    events: readonly DomainEvent[],
    receipt: Receipt | null,
  ): Promise<RecordReplaceOutcome>;
  /** Those of the ids that this business has, in any order; one look-up for all. */
  findProducts(businessId: string, ids: readonly string[]): Promise<readonly Product[]>;
  /**
   * For each name, which is asked about once, what `summariesOf` gives of that variant of the business's product, or of
   * the product itself where it has no such variant; of a product that there is not nothing. In any order, one look-up
   * for all, and the cost does not depend on how large the records are.
   */
  findProductSummaries(businessId: string, names: readonly ProductName[]): Promise<readonly ProductSummary[]>;
  listProducts(businessId: string, query: CatalogQuery): Promise<Page<Product>>;

  insertPackage(bundle: Package, events: readonly DomainEvent[], receipt: Receipt | null): Promise<RecordInsertOutcome>;
  replacePackage(
    bundle: Package,
    expectedVersion: number,
    events: readonly DomainEvent[],
    receipt: Receipt | null,
  ): Promise<RecordReplaceOutcome>;
  /** As findProducts. */
  findPackages(businessId: string, ids: readonly string[]): Promise<readonly Package[]>;
  listPackages(businessId: string, query: CatalogQuery): Promise<Page<Package>>;
}

export type RecordInsertOutcome = "written" | "receipt-lost" | Taken;
export type RecordReplaceOutcome = "written" | "stale" | "receipt-lost" | Taken;

/** A value that another record of the business has: nothing was written. */
export interface Taken {
  readonly taken: "id" | "cuit" | "sku";
  readonly value: string;
}

export const CATALOG_SORTS = ["createdAt", "name"] as const;
export type CatalogSort = (typeof CATALOG_SORTS)[number];

/** What a list is filtered and ordered by; null means no such filter. */
export interface CatalogQuery {
  readonly includeDeleted: boolean; // deleted ones are left out otherwise
  readonly search: string | null; // already folded by foldForSearch; looked for in the search text of the kind
  readonly sort: CatalogSort;
  readonly order: "asc" | "desc";
  readonly limit: number;
  readonly position: CatalogPosition;
}

/** Where a page begins: after so many entries, or behind the entry that a cursor names. */
export type CatalogPosition =
  | { readonly kind: "offset"; readonly offset: number }
  | { readonly kind: "after"; readonly key: RecordKey };

/** The place of a record in an order. Ties are broken by the id as text, in the same direction as the sort. */
export interface RecordKey {
  readonly value: number | string; // createdAt (ms), or the folded name
  readonly id: string;
}
