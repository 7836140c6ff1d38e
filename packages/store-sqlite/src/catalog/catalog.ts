import {
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
import type { Connection } from "../engine/connection.js";
import type { CachedNames } from "./catalog-names.js";
import { type RecordTable, sqliteRecords } from "./catalog-records.js";
import { productSummaryKeeper } from "./product-summaries.js";

export function sqliteCatalog(connection: Connection, cached: CachedNames): CatalogStore {
  const customers = sqliteRecords(connection, customerTable(connection, cached.forgetNames));
  const products = sqliteRecords(connection, productTable(connection, cached.forgetNames));
  const packages = sqliteRecords(connection, packageTable);

  return {
    insertCustomer: customers.insert,
    replaceCustomer: customers.replace,
    findCustomer: customers.find,
    findCustomers: (businessId, ids) =>
      connection.read(() => {
        const current = cached.names();
        return [...new Set(ids)].flatMap((id) => current.customer(businessId, id) ?? []);
      }),
    listCustomers: customers.list,
    insertProduct: products.insert,
    replaceProduct: products.replace,
    findProducts: products.findMany,
    findProductSummaries: (businessId, wanted) => connection.read(() => cached.names().products(businessId, wanted)),
    listProducts: products.list,
    insertPackage: packages.insert,
    replacePackage: packages.replace,
    findPackages: packages.findMany,
    listPackages: packages.list,
  };
}

function customerTable(connection: Connection, forgetNames: () => void): RecordTable<Customer> {
  const findOther = connection.value(
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
      return findOther(business, value, customer.id) === undefined ? null : { taken: "cuit", value };
    },
    alsoWrite: forgetNames,
  };
}

function productTable(connection: Connection, forgetNames: () => void): RecordTable<Product> {
  const findOther = connection.value(
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
      const value = wanted.find((sku) => findOther(business, sku, product.id) !== undefined);
      return value === undefined ? null : { taken: "sku", value };
    },
    alsoWrite: (business, product) => {
      release(business, product.id);
      for (const sku of skusHeldBy(product)) hold(business, sku, product.id);
      keepSummaries(business, product);
      forgetNames();
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
