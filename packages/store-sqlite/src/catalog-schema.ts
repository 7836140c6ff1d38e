import { foldForSearch, searchTextOfFields } from "@budgetkit/core/store";
import type { SqliteDatabase } from "./database.js";
import type { Migration } from "./migrations.js";
import { asRow, asText, orNull } from "./rows.js";

/** What stands for the moment at which a row was saved that did not say: when its business was made, or 2000-01-01. */
const UNKNOWN_MOMENT =
  "coalesce((SELECT created_at FROM budgetkit_businesses WHERE budgetkit_businesses.id = business_id), 946684800000)";

/**
 * Customers, products and packages as records with versions. What budgets show of a customer has columns of its own, so
 * that a list need not read the documents. Rows that were there before go on as records of version 1.
 */
export const CATALOG_MIGRATION: Migration = {
  version: 3,
  sql: `
    ALTER TABLE budgetkit_customers RENAME TO budgetkit_former_customers;
    ALTER TABLE budgetkit_products RENAME TO budgetkit_former_products;

    CREATE TABLE budgetkit_customers (
      business_id INTEGER NOT NULL,
      id TEXT NOT NULL,
      version INTEGER NOT NULL,
      name_key TEXT NOT NULL, -- the folded name, as it is sorted
      created_at INTEGER NOT NULL,
      deleted_at INTEGER,
      cuit TEXT,
      name TEXT NOT NULL,
      email TEXT,
      phone TEXT,
      search_text TEXT NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (business_id, id)
    ) STRICT;
    -- The deletion at the end lets lists that leave deleted records out, and counts, stay within the index.
    CREATE INDEX budgetkit_customers_by_creation ON budgetkit_customers (business_id, created_at, id, deleted_at);
    CREATE INDEX budgetkit_customers_by_name ON budgetkit_customers (business_id, name_key, id, deleted_at);
    CREATE UNIQUE INDEX budgetkit_customers_by_cuit ON budgetkit_customers (business_id, cuit)
      WHERE cuit IS NOT NULL AND deleted_at IS NULL;

    CREATE TABLE budgetkit_products (
      business_id INTEGER NOT NULL,
      id TEXT NOT NULL,
      version INTEGER NOT NULL,
      name_key TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      deleted_at INTEGER,
      search_text TEXT NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (business_id, id)
    ) STRICT;
    CREATE INDEX budgetkit_products_by_creation ON budgetkit_products (business_id, created_at, id, deleted_at);
    CREATE INDEX budgetkit_products_by_name ON budgetkit_products (business_id, name_key, id, deleted_at);

    -- The skus that products hold. Rows from before skus were unique may share one, so that the key does not refuse it.
    CREATE TABLE budgetkit_skus (
      business_id INTEGER NOT NULL,
      sku TEXT NOT NULL,
      product_id TEXT NOT NULL,
      PRIMARY KEY (business_id, sku, product_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX budgetkit_skus_of_product ON budgetkit_skus (business_id, product_id);

    CREATE TABLE budgetkit_packages (
      business_id INTEGER NOT NULL,
      id TEXT NOT NULL,
      version INTEGER NOT NULL,
      name_key TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      deleted_at INTEGER,
      search_text TEXT NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (business_id, id)
    ) STRICT;
    CREATE INDEX budgetkit_packages_by_creation ON budgetkit_packages (business_id, created_at, id, deleted_at);
    CREATE INDEX budgetkit_packages_by_name ON budgetkit_packages (business_id, name_key, id, deleted_at);

    INSERT INTO budgetkit_customers (
      business_id, id, version, name_key, created_at, name, email, phone, search_text, document
    )
    SELECT business_id, id, 1, '', moment, name, email, phone, '', json_object(
      'businessId', cast(business_id AS TEXT), 'id', id, 'version', 1, 'name', name, 'email', email, 'phone', phone,
      'dni', NULL, 'cuit', NULL, 'taxCondition', NULL, 'address', NULL, 'externalId', NULL, 'metadata', json('{}'),
      'createdAt', moment, 'updatedAt', moment, 'deletedAt', NULL
    )
    FROM (SELECT *, ${UNKNOWN_MOMENT} AS moment FROM budgetkit_former_customers);

    INSERT INTO budgetkit_products (business_id, id, version, name_key, created_at, search_text, document)
    SELECT business_id, id, 1, '', moment, '', json_object(
      'businessId', cast(business_id AS TEXT), 'id', id, 'version', 1, 'name', name, 'description', NULL, 'sku', sku,
      'unitPrice', NULL, 'currency', 'USD', 'taxRate', NULL, 'active', json('true'), 'options', json('[]'),
      'variants', json('[]'), 'metadata', json('{}'), 'createdAt', moment, 'updatedAt', moment, 'deletedAt', NULL
    )
    FROM (SELECT *, ${UNKNOWN_MOMENT} AS moment FROM budgetkit_former_products);

    INSERT INTO budgetkit_skus (business_id, sku, product_id)
    SELECT business_id, sku, id FROM budgetkit_former_products WHERE sku IS NOT NULL;
  `,
  complete: (database) => {
    foldFormerRows(database, "customers", ["name", "email", "phone"]);
    foldFormerRows(database, "products", ["name", "sku"]);
    database.exec("DROP TABLE budgetkit_former_customers; DROP TABLE budgetkit_former_products;");
  },
};

/** SQLite folds the letters of ASCII only. The empty fields are those that such a row cannot have. */
function foldFormerRows(database: SqliteDatabase, table: "customers" | "products", columns: readonly string[]): void {
  const read = database.prepare(`SELECT business_id, id, ${columns.join(", ")} FROM budgetkit_former_${table}`).raw();
  const write = database.prepare(
    `UPDATE budgetkit_${table} SET name_key = ?, search_text = ? WHERE business_id = ? AND id = ?`,
  );
  const missing = table === "customers" ? ["", "", ""] : [""];
  for (const row of read.all()) {
    const [business, id, ...values] = asRow(row);
    const texts = values.map((value) => orNull(value, asText) ?? "");
    write.run(foldForSearch(texts[0] ?? ""), searchTextOfFields([...texts, ...missing]), business, id);
  }
}
