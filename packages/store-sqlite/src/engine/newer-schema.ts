import { StoreUnavailable } from "@budgetkit/core/store";
import type { SqliteDatabase } from "../driver/sqlite-database.js";
import type { Migration } from "./migrations.js";
import { lazily } from "./statements.js";

/**
 * Returns a check that throws StoreUnavailable when a newer release has migrated the file under this process, which then
 * must not write: it does not know what the new tables and columns need. The check is one look-up; a file without a
 * schema passes it.
 */
export function newerSchemaRefuser(database: SqliteDatabase, migrations: readonly Migration[]): () => void {
  const known = migrations.at(-1)?.version ?? 0;
  const isMigrated = lazily(() =>
    database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'budgetkit_migrations'").pluck(),
  );
  const latest = lazily(() =>
    database.prepare("SELECT max(version) FROM budgetkit_migrations").safeIntegers(false).pluck(),
  );
  let hasSchema = false;
  return () => {
    hasSchema ||= isMigrated().get() !== undefined;
    const version = hasSchema ? Number(latest().get()) : 0;
    if (version <= known) return;
    throw new StoreUnavailable(
      `a newer release has migrated ${database.name} to version ${version}, and this one knows ${known}: stop this ` +
        "process, or update it",
    );
  };
}
