import type { SqliteDatabase, SqliteStatement } from "./database.js";
import { asRow, type Row } from "./rows.js";

/** What SQLite stores. */
export type SqlValue = string | number | null;

/** Statements on one database, prepared at their first use, since their tables need not exist before the schema was made. */
export interface Statements {
  /** A statement that changes rows; gives how many. */
  command(sql: string): (...values: SqlValue[]) => number;
  /** A statement whose first row is wanted; null = there is none. */
  row(sql: string): (...values: SqlValue[]) => Row | null;
  rows(sql: string): (...values: SqlValue[]) => readonly Row[];
  /** A statement of one column whose first value is wanted; undefined = there is no row. */
  value(sql: string): (...values: SqlValue[]) => unknown;
  values(sql: string): (...values: SqlValue[]) => readonly unknown[];
}

export function statementsOn(database: SqliteDatabase): Statements {
  /** Rows carry plain numbers, whatever the default of the caller's connection is. */
  function prepareQuery(sql: string): SqliteStatement {
    return database.prepare(sql).safeIntegers(false);
  }

  return {
    command(sql) {
      const statement = lazily(() => database.prepare(sql));
      return (...values) => statement().run(...values).changes;
    },
    row(sql) {
      const statement = lazily(() => prepareQuery(sql).raw());
      return (...values) => {
        const row = statement().get(...values);
        return row === undefined ? null : asRow(row);
      };
    },
    rows(sql) {
      const statement = lazily(() => prepareQuery(sql).raw());
      return (...values) =>
        statement()
          .all(...values)
          .map(asRow);
    },
    value(sql) {
      const statement = lazily(() => prepareQuery(sql).pluck());
      return (...values) => statement().get(...values);
    },
    values(sql) {
      const statement = lazily(() => prepareQuery(sql).pluck());
      return (...values) => statement().all(...values);
    },
  };
}

/** `make` at the first use alone. */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
