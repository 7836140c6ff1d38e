import type { Connection, SqlValue } from "./connection.js";
import { asInteger, type Row } from "./rows.js";

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

/** Rows behind a place in an order, which is that of the columns. */
export function behind(columns: readonly string[], order: "asc" | "desc", values: readonly SqlValue[]): Condition {
  const comparison = order === "asc" ? ">" : "<";
  return { sql: `(${columns.join(", ")}) ${comparison} (${columns.map(() => "?").join(", ")})`, values };
}

/** All of the conditions, with `$1`, `$2` … from `first` on in the place of the marks. */
export function allOf(conditions: readonly Condition[], first = 1): Condition {
  let next = first;
  const sql = conditions.map((condition) => condition.sql).join(" AND ");
  return {
    sql: sql.replace(/\?/g, () => `$${next++}`),
    values: conditions.flatMap((condition) => condition.values),
  };
}

/** A page of a list beside how many rows there are in all. */
export interface PageQuery {
  readonly total: string; // a statement that gives one row of one column, `n`
  readonly page: string; // without LIMIT and OFFSET
  readonly order: string; // that of the page, by columns of `page`
  readonly columns: readonly string[]; // those of the page to give
  readonly values: readonly SqlValue[];
  readonly limit: number;
  readonly offset: number;
}

/** Both in one statement, so that they are of one moment. */
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
