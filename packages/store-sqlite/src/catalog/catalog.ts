import {
  type CatalogKind,
  type CatalogRecords,
  type CatalogStore,
  type Customer,
  cuitHeldBy,
  customerSearchText,
  type Package,
  type Product,
  packageSearchText,
  productSearchText,
  skusHeldBy,
} from "@budgetkit/core/store";
import { asDocument, idToFind } from "@budgetkit/store-kit";
import type { ConditionHandlers, WriteHandlers } from "../commit/handlers.js";
import type { Connection } from "../engine/connection.js";
import { type CatalogRecordsOf, catalogRecords, type RecordTable, recordWriter } from "./catalog-records.js";
import { productSummaryKeeper } from "./summaries.js";

const WITH_EMAIL = "business_id = ? AND lower(email) = ? AND email IS NOT NULL AND deleted_at IS NULL";

export function sqliteCatalog(connection: Connection): Omit<CatalogStore, "findCustomers" | "findProductSummaries"> {
  const findByEmail = connection.value(
    `SELECT document FROM budgetkit_customers WHERE ${WITH_EMAIL} ORDER BY created_at, id LIMIT 1`,
  );
  const records: { readonly [K in CatalogKind]: CatalogRecordsOf<CatalogRecords[K]> } = {
    customer: catalogRecords(connection, "customers"),
    product: catalogRecords(connection, "products"),
    package: catalogRecords(connection, "packages"),
  };
  return {
    findRecord: (kind, businessId, id) => records[kind].find(businessId, id),
    findRecords: (kind, businessId, ids) => records[kind].findMany(businessId, ids),
    listRecords: (kind, businessId, query) => records[kind].list(businessId, query),
    findCustomerByEmail: (businessId, emailKey) =>
      connection.read(() => {
        const document = findByEmail(idToFind(businessId), emailKey);
        return document === undefined ? null : asDocument<Customer>(document);
      }),
  };
}

export function catalogConditions(connection: Connection): Pick<ConditionHandlers, "customer-email-free"> {
  const isHeld = connection.exists(`SELECT 1 FROM budgetkit_customers WHERE ${WITH_EMAIL}`);
  return {
    "customer-email-free": ({ emailKey }, businessId) =>
      isHeld(idToFind(businessId), emailKey) ? { taken: "email", value: emailKey } : null,
  };
}

export function catalogWrites(connection: Connection): Pick<WriteHandlers, CatalogKind> {
  return {
    customer: recordWriter(connection, customerTable(connection)),
    product: recordWriter(connection, productTable(connection)),
    package: recordWriter(connection, packageTable),
  };
}

function customerTable(connection: Connection): RecordTable<Customer> {
  const isHeld = connection.exists(
    "SELECT 1 FROM budgetkit_customers WHERE business_id = ? AND cuit = ? AND deleted_at IS NULL AND id <> ?",
  );
  return {
    name: "customers",
    ownColumns: ["cuit", "name", "email", "phone"],
    ownValuesOf: ({ cuit, name, email, phone }) => [cuit, name, email, phone],
    searchText: customerSearchText,
    findTaken: (business, customer, stored) => {
      const value = cuitHeldBy(customer);
      if (value === null || (stored !== null && cuitHeldBy(stored) === value)) return null;
      return isHeld(business, value, customer.id) ? { taken: "cuit", value } : null;
    },
    alsoWrite: () => {},
  };
}

function productTable(connection: Connection): RecordTable<Product> {
  const isHeld = connection.exists(
    "SELECT 1 FROM budgetkit_skus WHERE business_id = ? AND sku = ? AND product_id <> ? LIMIT 1",
  );
  const release = connection.command("DELETE FROM budgetkit_skus WHERE business_id = ? AND product_id = ?");
  const keepSummaries = productSummaryKeeper(connection);
  const hold = connection.command("INSERT INTO budgetkit_skus (business_id, sku, product_id) VALUES (?, ?, ?)");
  return {
    name: "products",
    ownColumns: [],
    ownValuesOf: () => [],
    searchText: productSearchText,
    findTaken: (business, product, stored) => {
      const held = new Set(stored === null ? [] : skusHeldBy(stored));
      const wanted = skusHeldBy(product).filter((sku) => !held.has(sku));
      const value = wanted.find((sku) => isHeld(business, sku, product.id));
      return value === undefined ? null : { taken: "sku", value };
    },
    alsoWrite: (business, product) => {
      release(business, product.id);
      for (const sku of skusHeldBy(product)) hold(business, sku, product.id);
      keepSummaries(business, product);
    },
  };
}

const packageTable: RecordTable<Package> = {
  name: "packages",
  ownColumns: [],
  ownValuesOf: () => [],
  searchText: packageSearchText,
  findTaken: () => null,
  alsoWrite: () => {},
};
