import type { Row } from "@budgetkit/store-kit";
import { type ColumnTypes, type Inserting, insertingArrays, insertingBy } from "./inserting.js";
import { type PreparedStatement, prepared, type SqlValue } from "./session.js";
import type { RowInserter, Transaction } from "./transaction.js";

type Run<T> = (transaction: Transaction, ...values: SqlValue[]) => T;

/** Makes the statements of transactions. `$1` is the business; tables and functions of the schema are written `@name`. */
export interface Statements {
  rows(sql: string): Run<Promise<readonly Row[]>>;
  /** The first row; null = there is none. */
  row(sql: string): Run<Promise<Row | null>>;
  /** The first column of the first row; undefined = there is no row. */
  value(sql: string): Run<Promise<unknown>>;
  exists(sql: string): Run<Promise<boolean>>;
  /** A change of stored rows. */
  write(sql: string): Run<void>;
  /** A new row. `columns` are those beside `business_id`, in the order of the values. */
  insert(table: string, columns: ColumnTypes, onConflict?: string): Run<void>;
  /** The same by other SQL, in which `@given` stands for the new rows, with these columns. */
  insertBy(sql: string, columns: ColumnTypes): Run<void>;
}

export function statementsIn(named: (sql: string) => string, inserting: Inserting = insertingArrays): Statements {
  const statementOf = (sql: string): PreparedStatement => prepared(named(sql));
  const rows = (sql: string): Run<Promise<readonly Row[]>> => {
    const statement = statementOf(sql);
    return (transaction, ...values) => transaction.read(statement, values);
  };

  return {
    rows,
    row: (sql) => {
      const find = rows(sql);
      return async (...of) => (await find(...of))[0] ?? null;
    },
    value: (sql) => {
      const find = rows(sql);
      return async (...of) => (await find(...of))[0]?.[0];
    },
    exists: (sql) => {
      const find = rows(sql);
      return async (...of) => (await find(...of)).length > 0;
    },
    write: (sql) => {
      const statement = statementOf(sql);
      return (transaction, ...values) => transaction.write(statement, values);
    },
    insert: (table, columns, onConflict = "") => insertInto(inserting({ table, columns, onConflict }, named)),
    insertBy: (sql, columns) => insertInto(insertingBy(sql, columns, named)),
  };
}

function insertInto(into: RowInserter): Run<void> {
  return (transaction, ...row) => transaction.insert(into, row);
}
