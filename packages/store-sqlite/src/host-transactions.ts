import type { HostConnection, StoreWithin } from "@budgetkit/core/store";
import { sqliteAccess } from "./access.js";
import { sqliteBudgets } from "./budgets.js";
import { sqliteCatalog } from "./catalog.js";
import type { Connection } from "./connection.js";
import type { SqliteDatabase } from "./database.js";
import { sqliteEvents } from "./events.js";
import { assertInTransaction, joinTransaction } from "./host-connection.js";
import { sqliteIds } from "./ids.js";
import { sqlitePayments } from "./payments.js";

/** The transactions that hosts have open, on connections of their own, in the file of a store. */
export interface HostTransactions {
  /** See `Store.within`. What was prepared for a connection is kept as long as the connection. */
  within(connection: HostConnection): StoreWithin;
  /** True while a transaction of which {@link HostTransactions.within} was told is open. */
  areOpen(): boolean;
}

/** `own` is the store's database, `assertOpen` throws once the store was closed. */
export function hostTransactions(own: SqliteDatabase, assertOpen: () => void): HostTransactions {
  const stores = new WeakMap<SqliteDatabase, StoreWithin>();
  const joined = new Set<SqliteDatabase>();

  function forgetEnded(): void {
    for (const database of joined) if (!database.inTransaction) joined.delete(database);
  }

  function storeOn(database: SqliteDatabase): StoreWithin {
    const known = stores.get(database);
    if (known !== undefined) return known;
    assertSameFile(own, database);
    const store = storeWithin(joinTransaction(database, assertOpen));
    stores.set(database, store);
    return store;
  }

  return {
    within: (connection) => {
      if (!isDatabase(connection)) {
        throw new TypeError("connection must be a better-sqlite3 Database for sqliteStore()");
      }
      const store = storeOn(connection);
      assertInTransaction(connection);
      forgetEnded();
      joined.add(connection);
      return store;
    },
    areOpen: () => {
      forgetEnded();
      return joined.size > 0;
    },
  };
}

function storeWithin(connection: Connection): StoreWithin {
  const { listEvents } = sqliteEvents(connection);
  const { findBusiness } = sqliteAccess(connection);
  return {
    ...sqliteIds(connection),
    ...sqliteBudgets(connection),
    ...sqlitePayments(connection),
    ...sqliteCatalog(connection),
    listEvents,
    findBusiness,
  };
}

function isDatabase(connection: HostConnection): connection is SqliteDatabase {
  return (
    typeof connection === "object" &&
    connection !== null &&
    "inTransaction" in connection &&
    typeof connection.inTransaction === "boolean" &&
    "prepare" in connection &&
    typeof connection.prepare === "function"
  );
}

/** Throws a TypeError unless the databases are two connections to one file. */
function assertSameFile(own: SqliteDatabase, database: SqliteDatabase): void {
  if (own.memory) {
    throw new TypeError("the store is in memory, where nobody else can connect: transactions of a host need a file");
  }
  if (database === own) {
    throw new TypeError(
      "connection is the Database that sqliteStore() itself works on, so that others would read what is not committed: " +
        "open a second Database on the same file",
    );
  }
  const [file, wanted] = [fileOf(database), fileOf(own)];
  if (file !== wanted) throw new TypeError(`connection leads to ${file}, the store is in ${wanted}`);
}

/** The path of a database's file as SQLite has resolved it. */
function fileOf(database: SqliteDatabase): string {
  const query = database.prepare("SELECT file FROM pragma_database_list WHERE name = 'main'");
  return String(query.pluck().get()) || "memory";
}
