import { type Commit, commitOf, type Expected } from "../commit/commit.js";
import type { Customer } from "./customer.js";
import type { Package } from "./package.js";
import type { Product } from "./product.js";

/** The records of the catalog, by kind. */
export interface CatalogRecords {
  customer: Customer;
  product: Product;
  package: Package;
}
export type CatalogKind = keyof CatalogRecords;

/**
 * Writes a record of the catalog. Unique within a business: the id, also that of a deleted record; the values of
 * `cuitHeldBy` of its customers and of `skusHeldBy` of its products.
 * Refused as `"stale"` when another version is stored, or none; as taken when another record has a unique value that the
 * stored one does not have: a value that the stored record holds already is not checked again.
 */
export type CatalogWrite = { [K in CatalogKind]: RecordWrite<K> }[CatalogKind];

export interface RecordWrite<K extends CatalogKind> {
  readonly kind: K;
  readonly record: CatalogRecords[K];
  readonly expected: Expected;
}

/**
 * No customer of the business that is not deleted has this email, by `customerEmailKeyOf`; else refused as taken. Of
 * several commits with this condition that add a customer with the email, one writes.
 */
export interface CustomerEmailFree {
  readonly kind: "customer-email-free";
  readonly emailKey: string;
}

export type CustomerWrite = RecordWrite<"customer">;

export type CatalogCommit = Commit<CatalogWrite>;

export function recordCommit<K extends CatalogKind>(
  kind: K,
  record: CatalogRecords[K],
  expected: Expected,
  beside: Partial<Omit<CatalogCommit, "businessId" | "writes">> = {},
): CatalogCommit {
  return commitOf(record.businessId, [writes[kind](record, expected)], beside);
}

/** By kind, since a write of any kind is none of these to the compiler. */
const writes: { readonly [K in CatalogKind]: (record: CatalogRecords[K], expected: Expected) => CatalogWrite } = {
  customer: (record, expected) => ({ kind: "customer", record, expected }),
  product: (record, expected) => ({ kind: "product", record, expected }),
  package: (record, expected) => ({ kind: "package", record, expected }),
};
