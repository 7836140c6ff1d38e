import { createHash } from "node:crypto";
import type { SqliteDatabase } from "./database.js";
import { insist } from "./lock-wait.js";
import { asInteger, asRow, asText } from "./rows.js";

/** One step of the schema. A step that was released is never changed: a later one changes what it made. */
export interface Migration {
  readonly version: number; // from 1, without gaps
  readonly sql: string;
  /** What SQL alone cannot do to rows that are there already; a part of the same transaction. */
  readonly complete?: (database: SqliteDatabase) => void;
}

/**
 * Applies the steps that are missing. Many processes may do so at once: the steps run under the write lock, and whoever
 * waited for it finds them applied.
 * Throws an Error when the schema is newer than `migrations`, or made by steps that have changed since.
 */
export function migrate(database: SqliteDatabase, migrations: readonly Migration[]): void {
  insist(() => {
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

/** True when every step has been applied, as it is now. Throws like {@link migrate}. */
export function isCurrent(database: SqliteDatabase, migrations: readonly Migration[]): boolean {
  return countPending(database, migrations) === 0;
}

/** How many steps are missing. Throws like {@link migrate}. */
export function countPending(database: SqliteDatabase, migrations: readonly Migration[]): number {
  const exists = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'budgetkit_migrations'").get();
  return exists === undefined ? migrations.length : missing(database, migrations).length;
}

function applyMissing(database: SqliteDatabase, migrations: readonly Migration[]): void {
  database.exec(
    "CREATE TABLE IF NOT EXISTS budgetkit_migrations (version INTEGER PRIMARY KEY, checksum TEXT NOT NULL) STRICT",
  );
  const record = database.prepare("INSERT INTO budgetkit_migrations (version, checksum) VALUES (?, ?)");
  for (const migration of missing(database, migrations)) {
    database.exec(migration.sql);
    migration.complete?.(database);
    record.run(migration.version, checksumOf(migration));
  }
}

function missing(database: SqliteDatabase, migrations: readonly Migration[]): readonly Migration[] {
  const applied = appliedChecksums(database);
  const known = new Set(migrations.map(({ version }) => version));
  for (const version of applied.keys()) {
    if (known.has(version)) continue;
    throw new Error(
      `the schema of ${database.name} is at version ${version}, newer than this release of @budgetkit/store-sqlite ` +
        `knows (${migrations.length}): update the package`,
    );
  }
  return migrations.filter((migration) => {
    const checksum = applied.get(migration.version);
    if (checksum !== undefined && checksum !== checksumOf(migration)) {
      throw new Error(
        `migration ${migration.version} of ${database.name} was applied with other contents than this release has: ` +
          "the database was made by a modified or unreleased version of the package",
      );
    }
    return checksum === undefined;
  });
}

function appliedChecksums(database: SqliteDatabase): ReadonlyMap<number, string> {
  const rows = database
    .prepare("SELECT version, checksum FROM budgetkit_migrations ORDER BY version DESC")
    .safeIntegers(false)
    .raw()
    .all();
  return new Map(
    rows.map((row) => {
      const [version, checksum] = asRow(row);
      return [asInteger(version), asText(checksum)];
    }),
  );
}

function checksumOf(migration: Migration): string {
  return createHash("sha256").update(migration.sql).digest("hex");
}
