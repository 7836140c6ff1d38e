import type { Product } from "@budgetkit/core/store";
import type { SqliteDatabase } from "./database.js";
import type { Migration } from "./migrations.js";
import { INSERT_SUMMARY, writeSummaries } from "./product-summaries.js";
import { asDocument, asInteger, asRow } from "./rows.js";

/** Products read at a time: each is as large as a record may be. */
const PAGE = 100;

/**
 * What budgets and packages take of products and their variants, a row each: a budget of many large products would have
 * their documents parsed at each read otherwise. The variant '' is the product itself.
 */
export const PRODUCT_SUMMARY_MIGRATION: Migration = {
  version: 10,
  sql: `
    CREATE TABLE budgetkit_product_summaries (
      business_id INTEGER NOT NULL,
      product_id TEXT NOT NULL,
      variant_id TEXT NOT NULL,
      name TEXT NOT NULL,
      sku TEXT,
      unit_price REAL,
      currency TEXT NOT NULL,
      deleted_at INTEGER,
      PRIMARY KEY (business_id, product_id, variant_id)
    ) STRICT, WITHOUT ROWID;
  `,
  complete: summarizeProducts,
};

/** Prices are read as everywhere else; SQLite may read a long decimal as the number beside it. */
function summarizeProducts(database: SqliteDatabase): void {
  const read = database
    .prepare("SELECT rowid, business_id, document FROM budgetkit_products WHERE rowid > ? ORDER BY rowid LIMIT ?")
    .safeIntegers(false)
    .raw();
  const insert = database.prepare(INSERT_SUMMARY);
  let last = 0;
  for (let page = read.all(last, PAGE); page.length > 0; page = read.all(last, PAGE)) {
    for (const row of page) {
      const [rowid, business, document] = asRow(row);
      writeSummaries((...values) => insert.run(...values), asInteger(business), asDocument<Product>(document));
      last = asInteger(rowid);
    }
  }
}
