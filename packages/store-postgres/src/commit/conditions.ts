import { asInteger, type Row } from "@budgetkit/store-kit";
import type { Connection, SqlValue } from "./connection.js";

/** A part of a WHERE clause. `?` stands for each of its values, in their order. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export function equals(column: string, value: SqlValue): Condition {
  return { sql: `${column} = ?`, values: [value] };
}

export function atLeast(column: string, value: SqlValue): Condition {
  return { sql: `${column} >= ?`, values: [value] };
}

export function atMost(column: string, value: SqlValue): Condition {
  return { sql: `${column} <= ?`, values: [value] };
}

export function fact(sql: string): Condition {
  return { sql, values: [] };
}

/** The rows after a keyset position, in the order of the columns. */
export function behind(columns: readonly string[], order: "asc" | "desc", values: readonly SqlValue[]): Condition {
  const comparison = order === "asc" ? ">" : "<";
  return { sql: `(${columns.join(", ")}) ${comparison} (${columns.map(() => "?").join(", ")})`, values };
}

/** All conditions joined by AND, with `$1`, `$2` … from `first` on instead of the question marks. */
export function allOf(conditions: readonly Condition[], first = 1): Condition {
  let next = first;
  const sql = conditions.map((condition) => condition.sql).join(" AND ");
  return {
    sql: sql.replace(/\?/g, () => `$${next++}`),
    values: conditions.flatMap((condition) => condition.values),
  };
}

/** A page of a list, and the number of all its rows. */
export interface PageQuery {
  readonly total: string; // a statement that returns one row with one column, `n`
  readonly page: string; // without LIMIT and OFFSET
  readonly order: string; // the order of the page, by columns of `page`
  readonly columns: readonly string[]; // the columns of the page to return
  readonly values: readonly SqlValue[];
  readonly limit: number;
  readonly offset: number;
}

/** Reads both in one statement, so that they agree. */
export async function pageAndTotal(
  connection: Connection,
  { total, page, order, columns, values, limit, offset }: PageQuery,
): Promise<{ readonly total: number; readonly rows: readonly Row[] }> {
  const rows = await connection.planned(
    `SELECT total.n, page.is_there, ${columns.map((column) => `page.${column}`).join(", ")}
     FROM (${total}) AS total
     LEFT JOIN LATERAL (SELECT true AS is_there, rows.* FROM (${page} LIMIT ${limit} OFFSET ${offset}) AS rows) AS page
       ON true
     ORDER BY ${order}`,
    values,
  );
  return {
    total: asInteger(rows[0]?.[0]),
    rows: rows.filter(([, isThere]) => isThere === true).map((row) => row.slice(2)),
  };
}
