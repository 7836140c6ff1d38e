import {
  asText,
  type CatalogStore,
  type Customer,
  type CustomerSummary,
  cuitHeldBy,
  customerSearchText,
  idToFind,
  orNull,
  type Package,
  type Product,
  packageSearchText,
  productSearchText,
  type Row,
  skusHeldBy,
} from "@budgetkit/core/store";
import { textToFind } from "../engine/arguments.js";
import type { Connection } from "../engine/connection.js";
import { postgresRecords, type RecordKind } from "./catalog-records.js";
import { postgresProductSummaries, summaryRows } from "./product-summaries.js";

export function postgresCatalog(connection: Connection): CatalogStore {
  const customers = postgresRecords(connection, CUSTOMER);
  const products = postgresRecords(connection, PRODUCT);
  const packages = postgresRecords(connection, PACKAGE);
  const findSummaries = connection.lookUp({
    key: { business: "bigint", id: "text" },
    row: "SELECT id, name, email, phone FROM @customers WHERE business_id = key.business AND id = key.id",
  });

  return {
    insertCustomer: customers.insert,
    replaceCustomer: customers.replace,
    findCustomer: customers.find,
    findCustomers: async (businessId, ids) => {
      const business = idToFind(businessId);
      const rows = await findSummaries([...new Set(ids)].map((id) => [business, textToFind(id)]));
      return rows.filter((row) => row !== null).map(asSummary);
    },
    listCustomers: customers.list,
    insertProduct: products.insert,
    replaceProduct: products.replace,
    findProducts: products.findMany,
    findProductSummaries: postgresProductSummaries(connection),
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

function asSummary([id, name, email, phone]: Row): CustomerSummary {
  return { id: asText(id), name: asText(name), email: orNull(email, asText), phone: orNull(phone, asText) };
}
