import { foldForSearch } from "@budgetkit/core/store";
import { asInteger, asList, asText } from "@budgetkit/store-kit";
import type { SqliteDatabase } from "../driver/sqlite-database.js";
import type { Migration } from "../engine/migrations.js";

/** The tables that are searched. */
const SEARCHED = ["budgets", "customers", "products", "packages"] as const;

/** Texts that are in memory at once. */
const ROWS_AT_ONCE = 100;

/**
 * Texts are folded as searches are now: by full case folding and NFKC. Those were in lower case, which folds as the original
 * does; ASCII stays the same. The triggers number the changed records again, and the store indexes them once all steps are
 * done.
 */
export const FOLDED_TEXTS: Migration = {
  version: 24,
  sql: "-- Search texts are folded by full case folding and NFKC.",
  rewrite: (database) => {
    for (const searched of SEARCHED) foldTexts(database, `budgetkit_${searched}`);
  },
};

function foldTexts(database: SqliteDatabase, table: string): void {
  const read = database
    .prepare(
      `SELECT rowid, search_text FROM ${table}
       WHERE rowid > ? AND octet_length(search_text) <> length(search_text) ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`,
    )
    .safeIntegers(false)
    .raw();
  const write = database.prepare(`UPDATE ${table} SET search_text = ? WHERE rowid = ?`);
  for (let last = -1; ; ) {
    const rows = read.all(last).map(asList);
    for (const [rowid, stored] of rows) {
      const text = asText(stored);
      const folded = foldForSearch(text);
      if (folded !== text) write.run(folded, rowid);
      last = asInteger(rowid);
    }
    if (rows.length < ROWS_AT_ONCE) return;
  }
}
