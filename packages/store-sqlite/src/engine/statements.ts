import { asList, type Row } from "@budgetkit/store-kit";
import type { SqliteDatabase, SqliteStatement } from "../driver/sqlite-database.js";

/** A value that SQLite stores. */
export type SqlValue = string | number | null;

/** Statements on one database, prepared at their first use: before the migration their tables do not exist. */
export interface Statements {
  /** Changes rows; returns how many. */
  command(sql: string): (...values: SqlValue[]) => number;
  /** The first row; null = none. */
  row(sql: string): (...values: SqlValue[]) => Row | null;
  rows(sql: string): (...values: SqlValue[]) => readonly Row[];
  /** Whether the query has a row. */
  exists(sql: string): (...values: SqlValue[]) => boolean;
  /** The only column of the first row; undefined = no row. */
  value(sql: string): (...values: SqlValue[]) => unknown;
  values(sql: string): (...values: SqlValue[]) => readonly unknown[];
}

export function statementsOn(database: SqliteDatabase): Statements {
  /** Rows hold numbers, never bigints, regardless of the caller's default. */
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
        return row === undefined ? null : asList(row);
      };
    },
    rows(sql) {
      const statement = lazily(() => prepareQuery(sql).raw());
      return (...values) =>
        statement()
          .all(...values)
          .map(asList);
    },
    exists(sql) {
      const statement = lazily(() => prepareQuery(sql).pluck());
      return (...values) => statement().get(...values) !== undefined;
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

/** Calls `make` once, at the first use. */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** One parameter of a statement for each value. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ");
}
