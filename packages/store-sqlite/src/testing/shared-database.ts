import BetterSqlite3 from "better-sqlite3";
import { tablesOf } from "./unreleased-database.js";

const KEPT = ["budgetkit_ids", "budgetkit_migrations"];
const INDEX = "budgetkit_search_index";

/** A migrated database that stays open for several cases, so that each case does not open and read a file again. */
export interface SharedDatabase {
  readonly database: BetterSqlite3.Database;
  /** Empties all tables. */
  clear(): void;
  close(): void;
}

export function sharedDatabase(path: string): SharedDatabase {
  const cleaner = new BetterSqlite3(path); // the stores on the other connection must see its commits
  cleaner.pragma("synchronous = OFF");
  return cleanedBy(cleaner, new BetterSqlite3(path, { timeout: 20 }));
}

/** A migrated database in memory, which no other connection can open. Each case has to make a store of its own. */
export function sharedMemory(database: BetterSqlite3.Database): SharedDatabase {
  return cleanedBy(database, database);
}

function cleanedBy(cleaner: BetterSqlite3.Database, database: BetterSqlite3.Database): SharedDatabase {
  const tables = tablesOf(cleaner).filter((name) => !KEPT.includes(name) && !name.startsWith(INDEX));
  const all = [...tables, "sqlite_sequence"].map((table) => ({
    hasRows: cleaner.prepare(`SELECT EXISTS (SELECT 1 FROM ${table})`).pluck(),
    empty: cleaner.prepare(`DELETE FROM ${table}`),
  }));
  const ids = cleaner.prepare("UPDATE budgetkit_ids SET next = 1001, next_range = 1");
  const hasIndexedTexts = cleaner
    .prepare("SELECT EXISTS (SELECT 1 FROM budgetkit_search_numbers WHERE number % 256 = 255)")
    .pluck();
  const emptyIndex = cleaner.prepare(`INSERT INTO ${INDEX} (${INDEX}) VALUES ('delete-all')`);

  const clear = cleaner.transaction(() => {
    if (hasIndexedTexts.get() === 1) emptyIndex.run();
    for (const { hasRows, empty } of all) if (hasRows.get() === 1) empty.run();
    ids.run();
  });
  return {
    database,
    clear: () => clear.immediate(),
    close: () => {
      cleaner.close();
      database.close();
    },
  };
}
