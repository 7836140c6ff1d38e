import type {
  CatalogQuery,
  CatalogRecord,
  DomainEvent,
  IdempotencyRecord,
  Page,
  RecordBase,
  RecordInsertOutcome,
  RecordReplaceOutcome,
  Store,
} from "@budgetkit/core/store";
import { aCustomer, aPackage, aProduct } from "../catalog-fixtures.js";

type Overrides = Partial<RecordBase & Pick<CatalogRecord, "name" | "metadata">>;
type Events = readonly DomainEvent[];

/** Customers, products and packages keep the same promises. */
export interface Kind {
  readonly name: string;
  make(overrides?: Overrides): CatalogRecord;
  insert(
    store: Store,
    overrides: Overrides,
    events?: Events,
    receipt?: IdempotencyRecord | null,
  ): Promise<RecordInsertOutcome>;
  replace(
    store: Store,
    overrides: Overrides,
    expectedVersion: number,
    events?: Events,
    receipt?: IdempotencyRecord | null,
  ): Promise<RecordReplaceOutcome>;
  find(store: Store, businessId: string, id: string): Promise<CatalogRecord | null>;
  /** The ids and names of those of the ids that there are. */
  findMany(
    store: Store,
    businessId: string,
    ids: readonly string[],
  ): Promise<readonly Pick<CatalogRecord, "id" | "name">[]>;
  list(store: Store, businessId: string, query: CatalogQuery): Promise<Page<CatalogRecord>>;
}

export const KINDS: readonly Kind[] = [
  {
    name: "customers",
    make: aCustomer,
    insert: (store, overrides, events = [], receipt = null) =>
      store.insertCustomer(aCustomer(overrides), events, receipt),
    replace: (store, overrides, version, events = [], receipt = null) =>
      store.replaceCustomer(aCustomer(overrides), version, events, receipt),
    find: (store, businessId, id) => store.findCustomer(businessId, id),
    findMany: (store, businessId, ids) => store.findCustomers(businessId, ids),
    list: (store, businessId, query) => store.listCustomers(businessId, query),
  },
  {
    name: "products",
    make: aProduct,
    insert: (store, overrides, events = [], receipt = null) =>
      store.insertProduct(aProduct(overrides), events, receipt),
    replace: (store, overrides, version, events = [], receipt = null) =>
      store.replaceProduct(aProduct(overrides), version, events, receipt),
    find: async (store, businessId, id) => (await store.findProducts(businessId, [id]))[0] ?? null,
    findMany: (store, businessId, ids) => store.findProducts(businessId, ids),
    list: (store, businessId, query) => store.listProducts(businessId, query),
  },
  {
    name: "packages",
    make: aPackage,
    insert: (store, overrides, events = [], receipt = null) =>
      store.insertPackage(aPackage(overrides), events, receipt),
    replace: (store, overrides, version, events = [], receipt = null) =>
      store.replacePackage(aPackage(overrides), version, events, receipt),
    find: async (store, businessId, id) => (await store.findPackages(businessId, [id]))[0] ?? null,
    findMany: (store, businessId, ids) => store.findPackages(businessId, ids),
    list: (store, businessId, query) => store.listPackages(businessId, query),
  },
];
