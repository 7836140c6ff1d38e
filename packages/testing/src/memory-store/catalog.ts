import {
  type CatalogKind,
  type CatalogQuery,
  type CatalogRecord,
  type CatalogRecords,
  type CatalogStore,
  type Change,
  type Customer,
  compareRecordKeys,
  cuitHeldBy,
  customerEmailKeyOf,
  customerSearchText,
  type Expected,
  encodeRecordKey,
  type Page,
  packageSearchText,
  productSearchText,
  type Refusal,
  recordKeyOf,
  skusHeldBy,
  summariesOf,
  type Taken,
  uncounted,
} from "@budgetkit/core/store";
import type { OpenTables, Tables } from "./tables.js";
import type { TenantTable } from "./tenant-table.js";
import type { ConditionOf, WriteOf } from "./write-of.js";

export function memoryCatalog(open: OpenTables): CatalogStore {
  return {
    findRecord: async (kind, businessId, id) => rowsOf(open(), kind).find(businessId, id),

    findRecords: async (kind, businessId, ids) => {
      const rows = rowsOf(open(), kind);
      return [...new Set(ids)].flatMap((id) => rows.find(businessId, id) ?? []);
    },

    listRecords: async (kind, businessId, query) =>
      pageOf(rowsOf(open(), kind).of(businessId), query, SEARCH_TEXTS[kind]),

    findCustomers: async (businessId, ids) =>
      [...new Set(ids)]
        .flatMap((id) => open().customers.find(businessId, id) ?? [])
        .map(({ id, name, email, phone }) => ({ id, name, email, phone })),

    findCustomerByEmail: async (businessId, emailKey) => withEmail(open(), businessId, emailKey)[0] ?? null,

    findProductSummaries: async (businessId, names) =>
      names.flatMap(({ productId, variantId }) => {
        const product = open().products.find(businessId, productId);
        if (product === null) return [];
        const [own, ...variants] = summariesOf(product);
        return variants.find((variant) => variant.variantId === variantId) ?? own;
      }),
  };
}

export function isEmailFree(
  tables: Tables,
  businessId: string,
  { emailKey }: ConditionOf<"customer-email-free">,
): boolean {
  return withEmail(tables, businessId, emailKey).length === 0;
}

/** The customers with the email that are not deleted, the oldest first. */
function withEmail({ customers }: Tables, businessId: string, emailKey: string): readonly Customer[] {
  return customers
    .of(businessId)
    .filter(({ email, deletedAt }) => deletedAt === null && email !== null && customerEmailKeyOf(email) === emailKey)
    .sort((a, b) => compareRecordKeys(recordKeyOf(a, "createdAt"), recordKeyOf(b, "createdAt")));
}

function rowsOf<K extends CatalogKind>(tables: Tables, kind: K): TenantTable<CatalogRecords[K]> {
  const rows: { [Kind in CatalogKind]: TenantTable<CatalogRecords[Kind]> } = {
    customer: tables.customers,
    product: tables.products,
    package: tables.packages,
  };
  return rows[kind];
}

const SEARCH_TEXTS: { readonly [K in CatalogKind]: (record: CatalogRecords[K]) => string } = {
  customer: customerSearchText,
  product: productSearchText,
  package: packageSearchText,
};

export function customerChange({ customers }: Tables, write: WriteOf<"customer">): Change | Refusal {
  const valuesOf = (customer: Customer) => [cuitHeldBy(customer)].filter((cuit) => cuit !== null);
  return recordChange(customers, write, "cuit", valuesOf);
}

export function productChange({ products }: Tables, write: WriteOf<"product">): Change | Refusal {
  return recordChange(products, write, "sku", skusHeldBy);
}

export function packageChange({ packages }: Tables, write: WriteOf<"package">): Change | Refusal {
  return recordChange(packages, write, "id", () => []);
}

/** `valuesOf` are the unique values that a record holds. */
function recordChange<R extends CatalogRecord>(
  table: TenantTable<R>,
  { record, expected }: { readonly record: R; readonly expected: Expected },
  unique: Taken["taken"],
  valuesOf: (record: R) => readonly string[],
): Change | Refusal {
  const { businessId, id } = record;
  const stored = table.find(businessId, id);
  if (expected === "absent" && stored !== null) return { taken: "id", value: id };
  if (expected !== "absent" && stored?.version !== expected) return "stale";
  const held = new Set(stored === null ? [] : valuesOf(stored));
  const wanted = valuesOf(record).filter((value) => !held.has(value));
  const others = wanted.length === 0 ? [] : table.of(businessId).filter((other) => other.id !== id);
  const theirs = new Set(others.flatMap((other) => valuesOf(other)));
  const value = wanted.find((each) => theirs.has(each));
  return value === undefined ? uncounted(() => table.save(businessId, id, record)) : { taken: unique, value };
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
