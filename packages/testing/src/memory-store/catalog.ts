import {
  type AuditEntry,
  type CatalogQuery,
  type CatalogRecord,
  type CatalogStore,
  compareRecordKeys,
  cuitHeldBy,
  customerSearchText,
  type DomainEvent,
  encodeRecordKey,
  type IdempotencyRecord,
  type Page,
  packageSearchText,
  productSearchText,
  type RecordInsertOutcome,
  type RecordReplaceOutcome,
  recordKeyOf,
  skusHeldBy,
  summariesOf,
  type Taken,
} from "@budgetkit/core/store";
import { appendAuditEntry, appendEvents } from "./events.js";
import { completeClaim, receiptHolds } from "./idempotency.js";
import type { OpenTables, Tables } from "./tables.js";
import type { TenantTable } from "./tenant-table.js";

export function memoryCatalog(open: OpenTables): CatalogStore {
  const customers = recordsOf(open, {
    rows: (tables) => tables.customers,
    searchText: customerSearchText,
    unique: "cuit",
    valuesOf: (customer) => [cuitHeldBy(customer)].filter((cuit) => cuit !== null),
  });
  const products = recordsOf(open, {
    rows: (tables) => tables.products,
    searchText: productSearchText,
    unique: "sku",
    valuesOf: skusHeldBy,
  });
  const packages = recordsOf(open, {
    rows: (tables) => tables.packages,
    searchText: packageSearchText,
    unique: "id",
    valuesOf: () => [],
  });
  return {
    insertCustomer: customers.insert,
    replaceCustomer: customers.replace,
    findCustomer: async (businessId, id) => open().customers.find(businessId, id),
    findCustomers: async (businessId, ids) =>
      customers.findMany(businessId, ids).map(({ id, name, email, phone }) => ({ id, name, email, phone })),
    listCustomers: customers.list,
    insertProduct: products.insert,
    replaceProduct: products.replace,
    findProducts: async (businessId, ids) => products.findMany(businessId, ids),
    findProductSummaries: async (businessId, names) =>
      names.flatMap(({ productId, variantId }) => {
        const product = open().products.find(businessId, productId);
        if (product === null) return [];
        const [own, ...variants] = summariesOf(product);
        return variants.find((variant) => variant.variantId === variantId) ?? own;
      }),
    listProducts: products.list,
    insertPackage: packages.insert,
    replacePackage: packages.replace,
    findPackages: async (businessId, ids) => packages.findMany(businessId, ids),
    listPackages: packages.list,
  };
}

/** How one kind of record differs from the others. */
interface Kind<R> {
  rows(tables: Tables): TenantTable<R>;
  searchText(record: R): string;
  readonly unique: Taken["taken"];
  /** The unique values that a record holds. */
  valuesOf(record: R): readonly string[];
}

function recordsOf<R extends CatalogRecord>(open: OpenTables, { rows, searchText, unique, valuesOf }: Kind<R>) {
  function findTaken(table: TenantTable<R>, record: R, stored: R | null): Taken | null {
    const held = new Set(stored === null ? [] : valuesOf(stored));
    const wanted = valuesOf(record).filter((value) => !held.has(value));
    if (wanted.length === 0) return null;
    const others = table.of(record.businessId).filter(({ id }) => id !== record.id);
    const theirs = new Set(others.flatMap((other) => valuesOf(other)));
    const value = wanted.find((each) => theirs.has(each));
    return value === undefined ? null : { taken: unique, value };
  }

  return {
    insert: async (
      record: R,
      events: readonly DomainEvent[],
      receipt: IdempotencyRecord | null,
      audit: AuditEntry | null = null,
    ): Promise<RecordInsertOutcome> => {
      const tables = open();
      const table = rows(tables);
      if (table.find(record.businessId, record.id) !== null) return { taken: "id", value: record.id };
      const taken = findTaken(table, record, null);
      if (taken !== null) return taken;
      if (!receiptHolds(tables, receipt)) return "claim-lost";
      table.add(record.businessId, record.id, record);
      appendEvents(tables, events);
      appendAuditEntry(tables, audit);
      completeClaim(tables, receipt);
      return "written";
    },

    replace: async (
      record: R,
      expectedVersion: number,
      events: readonly DomainEvent[],
      receipt: IdempotencyRecord | null,
      audit: AuditEntry | null = null,
    ): Promise<RecordReplaceOutcome> => {
      const tables = open();
      const table = rows(tables);
      const stored = table.find(record.businessId, record.id);
      if (stored?.version !== expectedVersion) return "stale";
      const taken = findTaken(table, record, stored);
      if (taken !== null) return taken;
      if (!receiptHolds(tables, receipt)) return "claim-lost";
      table.save(record.businessId, record.id, record);
      appendEvents(tables, events);
      appendAuditEntry(tables, audit);
      completeClaim(tables, receipt);
      return "written";
    },

    findMany: (businessId: string, ids: readonly string[]): R[] =>
      [...new Set(ids)].flatMap((id) => rows(open()).find(businessId, id) ?? []),

    list: async (businessId: string, query: CatalogQuery): Promise<Page<R>> =>
      pageOf(rows(open()).of(businessId), query, searchText),
  };
}

/** A list query by definition: filter, sort, cut the page. */
function pageOf<R extends CatalogRecord>(
  records: readonly R[],
  { includeDeleted, search, sort, order, limit, position }: CatalogQuery,
  searchText: (record: R) => string,
): Page<R> {
  const direction = order === "asc" ? 1 : -1;
  const places = records
    .filter((record) => includeDeleted || record.deletedAt === null)
    .filter((record) => search === null || searchText(record).includes(search))
    .map((record) => ({ record, key: recordKeyOf(record, sort) }))
    .sort((a, b) => direction * compareRecordKeys(a.key, b.key));
  const rest =
    position.kind === "offset"
      ? places.slice(position.offset)
      : places.filter(({ key }) => direction * compareRecordKeys(key, position.key) > 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    entries: page.map(({ record }) => record),
    total: places.length,
    nextCursor: last !== undefined && rest.length > page.length ? encodeRecordKey(last.key) : null,
  };
}
