import { resolve } from "node:path";
import { createMemoryRateLimitStore, type Store } from "@budgetkit/core/store";
import { sqliteAccess } from "./access.js";
import { sqliteAttachments } from "./attachments.js";
import { sqliteBudgets } from "./budgets.js";
import { sqliteCatalog } from "./catalog.js";
import { connect } from "./connection.js";
import { sqliteDashboard } from "./dashboard.js";
import { enableWriteAheadLog, openDatabase, requireDurability, type SqliteDatabase } from "./database.js";
import { sqliteEvents } from "./events.js";
import { hostTransactions } from "./host-transactions.js";
import { sqliteIdempotency } from "./idempotency.js";
import { sqliteIds } from "./ids.js";
import { sqliteIntegrations } from "./integrations.js";
import { type LimitFile, limitFile } from "./limit-file.js";
import { countPending, isCurrent, migrate } from "./migrations.js";
import { sqlitePayments } from "./payments.js";
import { MIGRATIONS } from "./schema.js";
import { sqliteUploadQuotas } from "./upload-quotas.js";
import { sqliteUsage } from "./usage.js";
import { sqliteWebhooks } from "./webhooks.js";

export interface SqliteStoreOptions {
  /**
   * Where the rate limiter keeps its windows: in `"file"`, beside the database and named after it with `-limits`, shared
   * by all processes and kept over restarts; in `"memory"`, for one process. A database in memory has its limiter there.
   */
  readonly limiter?: "file" | "memory";
}

/**
 * A store in a SQLite file (`":memory:"` for none), or in a better-sqlite3 `Database` that the caller has opened and
 * will close. Call `migrate()` before the first use.
 * Throws StoreUnavailable when the file cannot be opened, and an Error when commits would not be durable.
 */
export function sqliteStore(source: string | SqliteDatabase, options: SqliteStoreOptions = {}): Store {
  const isOurs = typeof source === "string";
  const database = isOurs ? openDatabase(source) : source;
  requireDurability(database);
  const hosts = hostTransactions(database, () => connection.assertOpen());
  const connection = connect(database, hosts.areOpen);
  const limits = limiterOf(database, options);

  return {
    databaseSystem: "sqlite",
    ...sqliteIds(connection),
    ...sqliteBudgets(connection),
    ...sqlitePayments(connection),
    ...sqliteEvents(connection),
    ...sqliteIdempotency(connection),
    ...sqliteAccess(connection),
    ...sqliteCatalog(connection),
    ...sqliteUsage(connection),
    ...sqliteDashboard(connection),
    ...sqliteWebhooks(connection),
    ...sqliteIntegrations(connection),
    ...sqliteAttachments(connection),
    ...sqliteUploadQuotas(connection),

    admit: async (subject, windows, now) => {
      connection.assertOpen();
      return limits.admit(subject, windows, now);
    },
    countAdmitted: async (subject, lengthMs, now) => {
      connection.assertOpen();
      return limits.countAdmitted(subject, lengthMs, now);
    },
    pruneWindows: async (now, limit) => {
      connection.assertOpen();
      return limits.pruneWindows(now, limit);
    },

    within: hosts.within,

    migrate: () =>
      connection.read(() => {
        enableWriteAheadLog(database);
        migrate(database, MIGRATIONS);
        limits.open();
      }),

    pendingMigrations: () => connection.read(() => countPending(database, MIGRATIONS)),

    isReady: () => connection.read(() => isCurrent(database, MIGRATIONS)).catch(() => false),

    close: async () => {
      await Promise.all([connection.drain(), limits.close()]);
      if (isOurs) database.close(); // the last connection to close folds the write-ahead log into the file
    },
  };
}

function limiterOf(database: SqliteDatabase, options: SqliteStoreOptions): LimitFile {
  const { limiter = database.memory ? "memory" : "file" } = options;
  if (limiter === "memory") return { ...createMemoryRateLimitStore(), open: () => {}, close: async () => {} };
  if (database.memory) throw new Error("a database in memory has no file beside which the limiter could keep its own");
  return limitFile(`${resolve(database.name)}-limits`, database);
}
