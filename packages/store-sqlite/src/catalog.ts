import type { CatalogStore, CustomerSummary, ProductSummary } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { idToFind, idToWrite } from "./ids.js";
import { asText, orNull, type Row } from "./rows.js";

export function sqliteCatalog(connection: Connection): CatalogStore {
  const saveCustomer = connection.command(
    `INSERT INTO budgetkit_customers (business_id, id, name, email, phone) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (business_id, id) DO UPDATE SET name = excluded.name, email = excluded.email, phone = excluded.phone`,
  );
  const saveProduct = connection.command(
    `INSERT INTO budgetkit_products (business_id, id, name, sku) VALUES (?, ?, ?, ?)
     ON CONFLICT (business_id, id) DO UPDATE SET name = excluded.name, sku = excluded.sku`,
  );
  const findCustomer = connection.row(
    "SELECT id, name, email, phone FROM budgetkit_customers WHERE business_id = ? AND id = ?",
  );
  const findProduct = connection.row("SELECT id, name, sku FROM budgetkit_products WHERE business_id = ? AND id = ?");

  /** Within a transaction SQLite takes its read lock once for all look-ups; the lock costs as much as one of them. */
  function lookUp<T>(ids: readonly string[], query: () => T): Promise<T> {
    return ids.length > 1 ? connection.snapshot(query) : connection.read(query);
  }

  return {
    saveCustomer: async (businessId, { id, name, email, phone }) => {
      const business = idToWrite(businessId);
      await connection.write(() => saveCustomer(business, id, name, email, phone));
    },

    saveProduct: async (businessId, { id, name, sku }) => {
      const business = idToWrite(businessId);
      await connection.write(() => saveProduct(business, id, name, sku));
    },

    findCustomers: (businessId, ids) => lookUp(ids, () => findEach(findCustomer, businessId, ids).map(asCustomer)),
    findProducts: (businessId, ids) => lookUp(ids, () => findEach(findProduct, businessId, ids).map(asProduct)),
  };
}

/** One look-up an id: in the process that holds the database, it costs less than one statement for a set of ids. */
function findEach(
  find: (business: number, id: string) => Row | null,
  businessId: string,
  ids: readonly string[],
): readonly Row[] {
  const business = idToFind(businessId);
  return [...new Set(ids)].flatMap((id) => {
    const row = find(business, id);
    return row === null ? [] : [row];
  });
}

function asCustomer([id, name, email, phone]: Row): CustomerSummary {
  return { id: asText(id), name: asText(name), email: orNull(email, asText), phone: orNull(phone, asText) };
}

function asProduct([id, name, sku]: Row): ProductSummary {
  return { id: asText(id), name: asText(name), sku: orNull(sku, asText) };
}
