import type { CatalogStore } from "../../catalog/catalog-store.js";
import type { OpenTables } from "./tables.js";
import type { TenantTable } from "./tenant-table.js";

export function memoryCatalog(open: OpenTables): CatalogStore {
  return {
    saveCustomer: async (businessId, customer) => open().customers.save(businessId, customer.id, customer),
    saveProduct: async (businessId, product) => open().products.save(businessId, product.id, product),
    findCustomers: async (businessId, ids) => findMany(open().customers, businessId, ids),
    findProducts: async (businessId, ids) => findMany(open().products, businessId, ids),
  };
}

function findMany<Row>(table: TenantTable<Row>, businessId: string, ids: readonly string[]): Row[] {
  return [...new Set(ids)].flatMap((id) => table.find(businessId, id) ?? []);
}
