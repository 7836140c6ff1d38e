import {
  type CatalogKind,
  type CatalogRecord,
  type CatalogRecords,
  cuitHeldBy,
  customerSearchText,
  packageSearchText,
  productSearchText,
  skusHeldBy,
} from "@budgetkit/core/store";
import type { CatalogTable } from "./catalog-list.js";

/** How one kind of record differs from the others. */
export interface RecordKind<R extends CatalogRecord> {
  readonly table: CatalogTable;
  readonly unique: "cuit" | "sku" | null; // the field of {@link heldBy}; null = none
  readonly ownColumns: readonly string[];
  readonly isNamedInBudgets: boolean;
  searchText(record: R): string;
  /** The values that no other record of the business may have. */
  heldBy(record: R): readonly string[];
  /** In the order of `ownColumns`. */
  ownValuesOf(record: R): readonly (string | null)[];
}

export const RECORD_KINDS: { readonly [K in CatalogKind]: RecordKind<CatalogRecords[K]> } = {
  customer: {
    table: "customers",
    unique: "cuit",
    ownColumns: ["name", "email", "phone"],
    isNamedInBudgets: true,
    searchText: customerSearchText,
    heldBy: (customer) => [cuitHeldBy(customer)].filter((cuit) => cuit !== null),
    ownValuesOf: ({ name, email, phone }) => [name, email, phone],
  },
  product: {
    table: "products",
    unique: "sku",
    ownColumns: [],
    isNamedInBudgets: true,
    searchText: productSearchText,
    heldBy: skusHeldBy,
    ownValuesOf: () => [],
  },
  package: {
    table: "packages",
    unique: null,
    ownColumns: [],
    isNamedInBudgets: false,
    searchText: packageSearchText,
    heldBy: () => [],
    ownValuesOf: () => [],
  },
};
