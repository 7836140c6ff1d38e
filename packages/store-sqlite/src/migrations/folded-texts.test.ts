import { foldForSearch, type Store } from "@budgetkit/core/store";
import { aBudgetQuery, aCatalogQuery } from "@budgetkit/testing";
import { expect, it, onTestFinished } from "vitest";
import type { SqliteDatabase } from "../driver/sqlite-database.js";
import { openDatabase } from "../engine/database.js";
import { migrate } from "../engine/migrations.js";
import { sqliteStore } from "../index.js";
import { MIGRATIONS } from "../schema.js";
import { temporaryFolder } from "../testing/temporary-folder.js";
import { FOLDED_TEXTS } from "./0024-folded-texts.js";

/** Texts as records have them. Earlier releases kept them in lower case. */
const TEXTS = ["İstanbul", "Jose\u0301", "Straße", "ΟΔΟΣ", "Nº 7", "Ñandú", "plain"];

const SEARCHES = ["ISTANBUL", "jos\u00e9", "STRASSE", "οδοσ", "no 7", "ñandú", "plain"];

/** More than the rows that the step folds at once, and than the index receives at once. */
const ROWS = 600;

it.each([
  ["by a walk along a list", TEXTS.length],
  ["by the index", ROWS],
])("finds texts of earlier releases by their folded forms, %s", async (_, rows) => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const database = openDatabase(folder.file("budgets.db"));
  migrate(database, MIGRATIONS.slice(0, MIGRATIONS.indexOf(FOLDED_TEXTS)));
  insertTexts(database, rows);
  const store = sqliteStore(database, { limiter: "memory" });
  await store.migrate();
  expect(database.prepare("SELECT last FROM budgetkit_search_full").all()).toEqual([]);
  for (const [index, search] of SEARCHES.entries()) {
    expect(await found(store, foldForSearch(search)), search).toEqual([String(index + 1), String(index + 1)]);
  }
  await store.close();
  database.close();
});

async function found(store: Store, search: string): Promise<readonly string[]> {
  const budgets = await store.listBudgets("1", aBudgetQuery({ search }));
  const products = await store.listRecords("product", "1", aCatalogQuery({ search }));
  return [...budgets.entries, ...products.entries].map(({ id }) => id);
}

function insertTexts(database: SqliteDatabase, rows: number): void {
  const insertBudget = database.prepare(
    `INSERT INTO budgetkit_budgets
       (business_id, id, version, status, customer_id, currency, total, created_at, search_text, document)
     VALUES (1, ?, 1, 'APPROVED', '1', 'USD', 1, 1, ?, ?)`,
  );
  const insertProduct = database.prepare(
    `INSERT INTO budgetkit_products (business_id, id, version, name_key, created_at, search_text, document)
     VALUES (1, ?, 1, '', 1, ?, ?)`,
  );
  database.exec("BEGIN");
  for (let index = 0; index < rows; index += 1) {
    const text = (TEXTS[index] ?? `Größe of ${index}`).toLowerCase();
    const id = String(index + 1);
    const budget = { id, total: 1, currency: "USD", createdAt: 1, status: "APPROVED" };
    insertBudget.run(index + 1, text, JSON.stringify(budget));
    insertProduct.run(id, text, JSON.stringify({ id, name: "", createdAt: 1 }));
  }
  database.exec("COMMIT");
}
