import { type ProductName, summariesOf } from "@budgetkit/core/store";
import { aProduct, aVariant } from "@budgetkit/core/testing";
import BetterSqlite3 from "better-sqlite3";
import { expect, it } from "vitest";
import { sqliteStore } from "./index.js";
import { migrate } from "./migrations.js";
import { MIGRATIONS } from "./schema.js";

it("knows of the products of a database from before their summaries, more than it reads at a time", async () => {
  const database = new BetterSqlite3(":memory:");
  migrate(
    database,
    MIGRATIONS.filter(({ version }) => version < 10),
  );
  const insert = database.prepare(
    `INSERT INTO budgetkit_products (business_id, id, version, name_key, created_at, search_text, document)
     VALUES (?, ?, 1, '', 0, '', ?)`,
  );
  const variants = [aVariant({ name: 'ñ "dark" 🪑 \\', sku: "D", unitPrice: 0.1234567890123456 })];
  const products = Array.from({ length: 250 }, (_, index) =>
    aProduct({ id: `p-${index}`, unitPrice: 33.335, variants }),
  );
  for (const product of products) insert.run(1, product.id, JSON.stringify(product));
  const store = sqliteStore(database);
  await store.migrate();
  const names: ProductName[] = products.flatMap(({ id }) => [
    { productId: id, variantId: null },
    { productId: id, variantId: "v-1" },
  ]);
  expect(await store.findProductSummaries("1", names)).toEqual(products.flatMap(summariesOf));
  expect(await store.findProductSummaries("2", names)).toEqual([]);
  database.close();
});
