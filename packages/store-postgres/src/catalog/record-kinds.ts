import {
  type CatalogKind,
  type CatalogRecord,
  type CatalogRecords,
  cuitHeldBy,
  customerSearchText,
  packageSearchText,
  productSearchText,
  recordKeyOf,
  skusHeldBy,
} from "@budgetkit/core/store";
import { idToFind } from "@budgetkit/store-kit";
import type { CatalogTable } from "./catalog-list.js";
import { summaryRows } from "./product-summaries.js";

/** How one kind of record differs from the others. */
interface RecordKind<R extends CatalogRecord> {
  readonly table: CatalogTable;
  searchText(record: R): string;
  /** The values that no other record of the business may have. */
  heldBy(record: R): readonly string[];
  /** The columns that only this kind has. */
  ownColumnsOf(record: R): object;
  /** Further arguments of its functions. */
  ownArgumentsOf(record: R): object;
}

export const RECORD_KINDS: { readonly [K in CatalogKind]: RecordKind<CatalogRecords[K]> } = {
  customer: {
    table: "customers",
    searchText: customerSearchText,
    heldBy: (customer) => [cuitHeldBy(customer)].filter((cuit) => cuit !== null),
    ownColumnsOf: ({ name, email, phone }) => ({ name, email, phone }),
    ownArgumentsOf: () => ({}),
  },
  product: {
    table: "products",
    searchText: productSearchText,
    heldBy: skusHeldBy,
    ownColumnsOf: () => ({}),
    ownArgumentsOf: (product) => ({ summaries: summaryRows(product) }),
  },
  package: {
    table: "packages",
    searchText: packageSearchText,
    heldBy: () => [],
    ownColumnsOf: () => ({}),
    ownArgumentsOf: () => ({}),
  },
};

/** A record as the functions of its kind take it. */
export function recordRow<R extends CatalogRecord>(kind: RecordKind<R>, record: R) {
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
