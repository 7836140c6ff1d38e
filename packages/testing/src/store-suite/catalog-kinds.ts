import type {
  CatalogQuery,
  CatalogRecord,
  DomainEvent,
  IdempotencyRecord,
  Page,
  RecordBase,
  Store,
} from "@budgetkit/core/store";
import { recordCommit } from "@budgetkit/core/store";
import { aCustomer, aPackage, aProduct } from "../catalog-fixtures.js";
import { outcomeOf } from "../outcome.js";

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
  ): ReturnType<typeof outcomeOf>;
  replace(
    store: Store,
    overrides: Overrides,
    expectedVersion: number,
    events?: Events,
    receipt?: IdempotencyRecord | null,
  ): ReturnType<typeof outcomeOf>;
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
      outcomeOf(store, recordCommit("customer", aCustomer(overrides), "absent", { events, completes: receipt })),
    replace: (store, overrides, version, events = [], receipt = null) =>
      outcomeOf(store, recordCommit("customer", aCustomer(overrides), version, { events, completes: receipt })),
    find: (store, businessId, id) => store.findRecord("customer", businessId, id),
    findMany: (store, businessId, ids) => store.findCustomers(businessId, ids),
    list: (store, businessId, query) => store.listRecords("customer", businessId, query),
  },
  {
    name: "products",
    make: aProduct,
    insert: (store, overrides, events = [], receipt = null) =>
      outcomeOf(store, recordCommit("product", aProduct(overrides), "absent", { events, completes: receipt })),
    replace: (store, overrides, version, events = [], receipt = null) =>
      outcomeOf(store, recordCommit("product", aProduct(overrides), version, { events, completes: receipt })),
    find: async (store, businessId, id) => (await store.findRecords("product", businessId, [id]))[0] ?? null,
    findMany: (store, businessId, ids) => store.findRecords("product", businessId, ids),
    list: (store, businessId, query) => store.listRecords("product", businessId, query),
  },
  {
    name: "packages",
    make: aPackage,
    insert: (store, overrides, events = [], receipt = null) =>
      outcomeOf(store, recordCommit("package", aPackage(overrides), "absent", { events, completes: receipt })),
    replace: (store, overrides, version, events = [], receipt = null) =>
      outcomeOf(store, recordCommit("package", aPackage(overrides), version, { events, completes: receipt })),
    find: async (store, businessId, id) => (await store.findRecords("package", businessId, [id]))[0] ?? null,
    findMany: (store, businessId, ids) => store.findRecords("package", businessId, ids),
    list: (store, businessId, query) => store.listRecords("package", businessId, query),
  },
];
