import {
  type CatalogKind,
  type CatalogQuery,
  type CatalogRecord,
  type CatalogRecords,
  type Page,
  type RecordBase,
  recordCommit,
  type Store,
} from "@budgetkit/core/store";
import { aCustomer, aPackage, aProduct } from "../catalog-fixtures.js";
import { outcomeOf } from "../outcome.js";

type Overrides = Partial<RecordBase & Pick<CatalogRecord, "name" | "metadata">>;
type Outcome = ReturnType<typeof outcomeOf>;

/** Customers, products and packages keep the same promises. */
export interface Kind {
  readonly name: string;
  make(overrides?: Overrides): CatalogRecord;
  insert(store: Store, overrides: Overrides): Outcome;
  replace(store: Store, overrides: Overrides, expectedVersion: number): Outcome;
  find(store: Store, businessId: string, id: string): Promise<CatalogRecord | null>;
  /** The ids and names of those of the ids that there are. */
  findMany(
    store: Store,
    businessId: string,
    ids: readonly string[],
  ): Promise<readonly Pick<CatalogRecord, "id" | "name">[]>;
  list(store: Store, businessId: string, query: CatalogQuery): Promise<Page<CatalogRecord>>;
}

function kindOf<K extends CatalogKind>(kind: K, make: (overrides?: Overrides) => CatalogRecords[K]): Kind {
  return {
    name: `${kind}s`,
    make,
    insert: (store, overrides) => outcomeOf(store, recordCommit(kind, make(overrides), "absent")),
    replace: (store, overrides, version) => outcomeOf(store, recordCommit(kind, make(overrides), version)),
    find: (store, businessId, id) => store.findRecord(kind, businessId, id),
    findMany: (store, businessId, ids) => store.findRecords(kind, businessId, ids),
    list: (store, businessId, query) => store.listRecords(kind, businessId, query),
  };
}

export const KINDS: readonly Kind[] = [
  { ...kindOf("customer", aCustomer), findMany: (store, businessId, ids) => store.findCustomers(businessId, ids) },
  kindOf("product", aProduct),
  kindOf("package", aPackage),
];
