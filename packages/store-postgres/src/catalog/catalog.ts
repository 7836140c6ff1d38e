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
import { postgresRecords, type RecordKind } from "./catalog-records.js";
import { CUSTOMER_SUMMARIES, customerSummaryFinder } from "./customer-summaries.js";
import { PRODUCT_SUMMARIES, productSummaryFinder, summaryRows } from "./product-summaries.js";

export function postgresCatalog(connection: Connection): CatalogStore {
  const customers = postgresRecords(connection, CUSTOMER);
  const products = postgresRecords(connection, PRODUCT);
  const packages = postgresRecords(connection, PACKAGE);

  return {
    insertCustomer: customers.insert,
    replaceCustomer: customers.replace,
    findCustomer: customers.find,
    findCustomers: customerSummaryFinder(connection.lookUp(CUSTOMER_SUMMARIES)),
    listCustomers: customers.list,
    insertProduct: products.insert,
    replaceProduct: products.replace,
    findProducts: products.findMany,
    findProductSummaries: productSummaryFinder(connection.lookUp(PRODUCT_SUMMARIES)),
    listProducts: products.list,
    insertPackage: packages.insert,
    replacePackage: packages.replace,
    findPackages: packages.findMany,
    listPackages: packages.list,
  };
}

const CUSTOMER: RecordKind<Customer> = {
  name: "customer",
  table: "customers",
  searchText: customerSearchText,
  heldBy: (customer) => [cuitHeldBy(customer)].filter((cuit) => cuit !== null),
  ownColumnsOf: ({ name, email, phone }) => ({ name, email, phone }),
  ownArgumentsOf: () => ({}),
};

const PRODUCT: RecordKind<Product> = {
  name: "product",
  table: "products",
  searchText: productSearchText,
  heldBy: skusHeldBy,
  ownColumnsOf: () => ({}),
  ownArgumentsOf: (product) => ({ summaries: summaryRows(product) }),
};

const PACKAGE: RecordKind<Package> = {
  name: "package",
  table: "packages",
  searchText: packageSearchText,
  heldBy: () => [],
  ownColumnsOf: () => ({}),
  ownArgumentsOf: () => ({}),
};
