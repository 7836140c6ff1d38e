import { readFileSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";

/** A database with the twelve steps of the unreleased builds, and with rows in every table. */
export function unreleasedDatabase(path = ":memory:"): BetterSqlite3.Database {
  return loaded(path, "unreleased-database.sql");
}

/** The rate limiter's file of the same build. */
export function unreleasedLimits(path: string): BetterSqlite3.Database {
  return loaded(path, "unreleased-limits.sql");
}

/** The same database without rows. */
export function emptyUnreleasedDatabase(): BetterSqlite3.Database {
  const database = unreleasedDatabase();
  for (const table of tablesOf(database)) {
    if (table !== "budgetkit_ids" && table !== "budgetkit_migrations") database.exec(`DELETE FROM ${table}`);
  }
  database.exec("UPDATE budgetkit_ids SET next = 1001; DELETE FROM sqlite_sequence");
  return database;
}

export function tablesOf(database: BetterSqlite3.Database): string[] {
  const names = database.prepare<[], string>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'budgetkit!_%' ESCAPE '!' ORDER BY name",
  );
  return names.pluck().all();
}

function loaded(path: string, dump: string): BetterSqlite3.Database {
  const database = new BetterSqlite3(path);
  database.exec(readFileSync(new URL(dump, import.meta.url), "utf8"));
  return database;
}
