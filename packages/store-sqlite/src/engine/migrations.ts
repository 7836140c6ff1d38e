import { createHash } from "node:crypto";
import { asInteger, asList, asText } from "@budgetkit/store-kit";
import type { SqliteDatabase } from "../driver/sqlite-database.js";
import { retryAtStart } from "./lock-wait.js";

/** One step of the schema. A released step never changes: a later step changes the schema it made. */
export interface Migration {
  readonly version: number; // ascending
  readonly sql: string;
  /** Changes of data that SQL cannot express, after the SQL and in its transaction. */
  readonly rewrite?: (database: SqliteDatabase) => void;
  /**
   * SHA-256 of the checksums, newest first, that unreleased builds recorded for the schema of this step. A database that
   * has them is at this step.
   */
  readonly replaces?: string;
}

/**
 * Applies the missing steps. Processes may do so at the same time: the first to get the write lock applies them, and the
 * others find them applied.
 * Throws an Error when the schema is newer than `migrations`, or when an applied step differs from its text here.
 */
export function migrate(database: SqliteDatabase, migrations: readonly Migration[]): void {
  retryAtStart(() => {
    if (isCurrent(database, migrations)) return;
    database.exec("BEGIN IMMEDIATE");
    try {
      applyMissing(database, migrations);
      database.exec("COMMIT");
    } catch (error) {
      if (database.inTransaction) database.exec("ROLLBACK");
      throw error;
    }
  });
}

/** Throws an Error when a step is missing, and in the cases in which {@link migrate} does. */
export function assertCurrent(database: SqliteDatabase, migrations: readonly Migration[]): void {
  const pending = countPending(database, migrations);
  if (pending > 0) throw new Error(`the schema of ${database.name} lacks ${pending} of its steps: migrate it`);
}

/** True when every step is applied. Throws like {@link migrate}. */
export function isCurrent(database: SqliteDatabase, migrations: readonly Migration[]): boolean {
  return countPending(database, migrations) === 0;
}

/** How many steps are missing. Throws like {@link migrate}. */
export function countPending(database: SqliteDatabase, migrations: readonly Migration[]): number {
  const exists = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'budgetkit_migrations'").get();
  return exists === undefined ? migrations.length : missing(database, migrations).length;
}

/** Records every step again, because a replaced record has other versions than the steps. */
function applyMissing(database: SqliteDatabase, migrations: readonly Migration[]): void {
  database.exec(
    "CREATE TABLE IF NOT EXISTS budgetkit_migrations (version INTEGER PRIMARY KEY, checksum TEXT NOT NULL) STRICT",
  );
  for (const { sql, rewrite } of missing(database, migrations)) {
    database.exec(sql);
    rewrite?.(database);
  }
  database.exec("DELETE FROM budgetkit_migrations");
  const record = database.prepare("INSERT INTO budgetkit_migrations (version, checksum) VALUES (?, ?)");
  for (const migration of migrations) record.run(migration.version, checksumOf(migration));
}

function missing(database: SqliteDatabase, migrations: readonly Migration[]): readonly Migration[] {
  const recorded = recordedChecksums(database);
  const replaced = digestOf([...recorded.values()].join(","));
  const replacement = migrations.find(({ replaces }) => replaces === replaced);
  if (replacement !== undefined) return migrations.filter(({ version }) => version > replacement.version);
  assertKnown(database, migrations, recorded);
  return migrations.filter(({ version }) => !recorded.has(version));
}

function assertKnown(
  database: SqliteDatabase,
  migrations: readonly Migration[],
  recorded: ReadonlyMap<number, string>,
): void {
  for (const [version, checksum] of recorded) {
    const migration = migrations.find((step) => step.version === version);
    if (migration === undefined) {
      throw new Error(
        `the schema of ${database.name} is at version ${version}, newer than this release of @budgetkit/store-sqlite ` +
          `knows (${migrations.length}): update the package`,
      );
    }
    if (checksum !== checksumOf(migration)) {
      throw new Error(
        `migration ${version} of ${database.name} was applied with other contents than this release has: ` +
          "the database was made by a modified or unreleased version of the package",
      );
    }
  }
}

/** By version, newest first. */
function recordedChecksums(database: SqliteDatabase): ReadonlyMap<number, string> {
  const rows = database
    .prepare("SELECT version, checksum FROM budgetkit_migrations ORDER BY version DESC")
    .safeIntegers(false)
    .raw()
    .all();
  return new Map(
    rows.map((row) => {
      const [version, checksum] = asList(row);
      return [asInteger(version), asText(checksum)];
    }),
  );
}

/** The checksum that a database records for a step it has. */
export function checksumOf({ sql }: Migration): string {
  return digestOf(sql);
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
