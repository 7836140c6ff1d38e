import BetterSqlite3 from "better-sqlite3";

/** An application with a table of its own in a file, which it begins its transactions on one connection to. */
export function sqliteHost(path: string) {
  const database = new BetterSqlite3(path, { timeout: 20 });
  const reader = new BetterSqlite3(path, { timeout: 20 });
  database.exec("CREATE TABLE orders (name TEXT NOT NULL)");
  return {
    begin: async () => {
      database.exec("BEGIN IMMEDIATE");
      return {
        connection: database,
        write: async (row: string) => void database.prepare("INSERT INTO orders (name) VALUES (?)").run(row),
        commit: async () => void database.exec("COMMIT"),
        rollback: async () => void database.exec("ROLLBACK"),
      };
    },
    rows: async () =>
      reader
        .prepare<[], { name: string }>("SELECT name FROM orders")
        .all()
        .map(({ name }) => name),
    close: () => {
      database.close();
      reader.close();
    },
  };
}
