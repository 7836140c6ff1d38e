import { resolve } from "node:path";
import { checkOptionNames, type OptionNames, type RateLimitStore, type Store } from "@budgetkit/core/store";
import { cachedReads } from "./cached-reads.js";
import { callerDatabase } from "./driver/caller-database.js";
import type { NodeSqliteDatabase } from "./driver/node-sqlite.js";
import type { SqliteDatabase } from "./driver/sqlite-database.js";
import { connect, type OwnConnection } from "./engine/connection.js";
import { stopWritesOnDamage } from "./engine/damage.js";
import {
  enableWriteAheadLog,
  enlargeCache,
  openDatabase,
  requireDurability,
  requireWritable,
  truncateLog,
} from "./engine/database.js";
import { grouped } from "./engine/grouped.js";
import { assertCurrent, countPending, migrate } from "./engine/migrations.js";
import { newerSchemaRefuser } from "./engine/newer-schema.js";
import { createWriteProbe, findFailure } from "./engine/outage.js";
import { statementsOn } from "./engine/statements.js";
import { type FrequentReads, frequentReads } from "./frequent-reads.js";
import { hostTransactions } from "./host-transactions.js";
import { type LimitFile, limitFile } from "./limits/limit-file.js";
import { memoryLimits } from "./limits/memory-limits.js";
import { ownPorts } from "./ports.js";
import { MIGRATIONS } from "./schema.js";
import { blockIndexer } from "./search/search-blocks.js";
import { oneSearchPerBusiness } from "./search/search-slots.js";

export interface SqliteStoreOptions {
  /**
   * Where the rate limiter keeps its windows. `"file"`: beside the database, in a file named after it with `-limits`, which
   * all processes share and which survives restarts. `"memory"`: for one process. Default `"file"`, or `"memory"` for a
   * database in memory.
   */
  readonly limiter?: "file" | "memory";
}

const OPTIONS: OptionNames<SqliteStoreOptions> = { limiter: true };

/** What a store does for speed. It returns the same without. */
export interface Decorators {
  onConnection(connection: OwnConnection): OwnConnection;
  onReads(reads: FrequentReads, connection: OwnConnection): () => FrequentReads;
}

/**
 * A store in a SQLite file (`":memory:"` = in memory), or on a database that the caller opens and closes: a `Database` of
 * better-sqlite3 or a `DatabaseSync` of node:sqlite. Call `migrate()` before the first use.
 * Throws StoreUnavailable when the file cannot be opened, an Error when no driver can be used or commits would not be
 * durable, a TypeError for another source, and a RangeError for an unknown option.
 */
export function sqliteStore(
  source: string | SqliteDatabase | NodeSqliteDatabase,
  options: SqliteStoreOptions = {},
): Store {
  return decoratedStore(source, options, { onConnection: grouped, onReads: cachedReads });
}

export function decoratedStore(
  source: string | SqliteDatabase | NodeSqliteDatabase,
  options: SqliteStoreOptions,
  decorators: Decorators,
): Store {
  checkOptionNames("sqliteStore", options, OPTIONS);
  const isOwn = typeof source === "string";
  const database = databaseOf(source);
  requireDurability(database);
  const { hosts, connection } = connectionsOf(database, decorators);
  const limits = limiterOf(database, options);
  const readsNow = decorators.onReads(frequentReads(connection), connection);
  const probe = createWriteProbe(connection);
  const findFullBlock = connection.value("SELECT last FROM budgetkit_search_full LIMIT 1");

  return {
    databaseSystem: "sqlite",
    ...oneSearchPerBusiness(ownPorts(connection, readsNow)),
    ...whileOpen(limits, connection),

    withConnection: hosts.withConnection,

    migrate: async () => {
      await connection.read(() => {
        if (isOwn) enlargeCache(database);
        enableWriteAheadLog(database);
        migrate(database, MIGRATIONS);
        requireWritable(database);
        limits.open();
      });
      const isWaiting = (await connection.read(() => findFullBlock())) !== undefined;
      if (isWaiting) await connection.write(() => {}); // the commit indexes what a step has changed
    },

    pendingMigrations: () => connection.read(() => countPending(database, MIGRATIONS)),

    shrinkFiles: () => connection.read(() => truncateLog(database)),

    findOutage: () =>
      findFailure([
        async () => connection.assertIntact(),
        () => connection.read(() => assertCurrent(database, MIGRATIONS)),
        probe,
        limits.probe,
      ]),

    close: async () => {
      await Promise.all([connection.drain(), limits.close()]);
      if (isOwn) database.close(); // the last close merges the write-ahead log into the file
    },
  };
}

/** The store's own connection, and those of hosts. */
function connectionsOf(database: SqliteDatabase, { onConnection }: Decorators) {
  const refuseNewer = newerSchemaRefuser(database, MIGRATIONS);
  const hosts = hostTransactions(database, () => connection.assertOpen(), refuseNewer);
  const indexBlocks = blockIndexer(statementsOn(database));
  const connection = stopWritesOnDamage(onConnection(connect(database, hosts.areOpen, indexBlocks, refuseNewer)));
  return { hosts, connection };
}

/** The limits of a store that is open: their file is one of its own. */
function whileOpen(limits: LimitFile, { assertOpen }: { assertOpen(): void }): RateLimitStore {
  return {
    consume: async (subject, windows, now) => {
      assertOpen();
      return await limits.consume(subject, windows, now);
    },
    countConsumed: async (subject, lengthMs, now) => {
      assertOpen();
      return limits.countConsumed(subject, lengthMs, now);
    },
    pruneWindows: async (now, limit) => {
      assertOpen();
      return limits.pruneWindows(now, limit);
    },
  };
}

function databaseOf(source: string | SqliteDatabase | NodeSqliteDatabase): SqliteDatabase {
  const database = typeof source === "string" ? openDatabase(source) : callerDatabase(source);
  if (database !== null) return database;
  throw new TypeError("sqliteStore() needs a path, a Database of better-sqlite3 or a DatabaseSync of node:sqlite");
}

function limiterOf(database: SqliteDatabase, options: SqliteStoreOptions): LimitFile {
  const { limiter = database.memory ? "memory" : "file" } = options;
  if (limiter === "memory") return memoryLimits();
  if (database.memory) throw new Error("a limiter in a file needs a database in a file, not in memory");
  return limitFile(`${resolve(database.name)}-limits`, database);
}
