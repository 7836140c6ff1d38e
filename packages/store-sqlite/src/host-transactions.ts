import type { HostConnection, TransactionStore } from "@budgetkit/core/store";
import { callerDatabase } from "./driver/caller-database.js";
import { isNodeSqlite } from "./driver/node-sqlite.js";
import type { SqliteDatabase } from "./driver/sqlite-database.js";
import { assertInTransaction, joinTransaction } from "./engine/host-connection.js";
import { statementsOn } from "./engine/statements.js";
import { transactionPorts } from "./ports.js";
import { blockIndexer } from "./search/search-blocks.js";
import { oneSearchPerBusiness } from "./search/search-slots.js";

/** Transactions that hosts have open on their own connections to the store's file. */
export interface HostTransactions {
  /** See `Store.withConnection`. The prepared statements of a connection live as long as the connection. */
  withConnection(connection: HostConnection): TransactionStore;
  /** True while a transaction passed to {@link HostTransactions.withConnection} is open. */
  areOpen(): boolean;
}

/** `own` is the store's database, the others are as in {@link joinTransaction}. */
export function hostTransactions(
  own: SqliteDatabase,
  assertOpen: () => void,
  refuseNewer: () => void,
): HostTransactions {
  const stores = new WeakMap<SqliteDatabase, TransactionStore>();
  const joined = new Set<SqliteDatabase>();

  function forgetEnded(): void {
    for (const database of joined) if (!database.inTransaction) joined.delete(database);
  }

  function storeOn(database: SqliteDatabase): TransactionStore {
    const known = stores.get(database);
    if (known !== undefined) return known;
    assertSameFile(own, database);
    const afterPiece = blockIndexer(statementsOn(database));
    const connection = joinTransaction(database, { assertOpen, refuseNewer, afterPiece });
    const store = oneSearchPerBusiness(transactionPorts(connection));
    stores.set(database, store);
    return store;
  }

  return {
    withConnection: (connection) => {
      const database = callerDatabase(connection);
      if (database === null) {
        throw new TypeError(
          "connection must be a better-sqlite3 Database, or a DatabaseSync of node:sqlite, for sqliteStore()",
        );
      }
      const store = storeOn(database);
      assertInTransaction(database);
      forgetEnded();
      joined.add(database);
      return store;
    },
    areOpen: () => {
      forgetEnded();
      return joined.size > 0;
    },
  };
}

/** Throws a TypeError unless both are connections of one driver to one file. */
function assertSameFile(own: SqliteDatabase, database: SqliteDatabase): void {
  if (own.memory) {
    throw new TypeError(
      "the store is in memory, where no second connection is possible: transactions of a host need a file",
    );
  }
  if (database === own) {
    throw new TypeError(
      "connection is the Database of sqliteStore() itself, so other requests would read uncommitted data: " +
        "open a second Database on the same file",
    );
  }
  if (isNodeSqlite(database) !== isNodeSqlite(own)) {
    throw new TypeError(
      `connection is of ${driverOf(database)}, the store of ${driverOf(own)}: two SQLite libraries in one process drop ` +
        "each other's locks, so pass sqliteStore() a database of the driver that begins your transactions",
    );
  }
  const [file, wanted] = [fileOf(database), fileOf(own)];
  if (file !== wanted) throw new TypeError(`connection is open on ${file}, the store on ${wanted}`);
}

function driverOf(database: SqliteDatabase): string {
  return isNodeSqlite(database) ? "node:sqlite" : "better-sqlite3";
}

/** The path of the database file, as SQLite resolved it. */
function fileOf(database: SqliteDatabase): string {
  const query = database.prepare("SELECT file FROM pragma_database_list WHERE name = 'main'");
  return String(query.pluck().get()) || "memory";
}
