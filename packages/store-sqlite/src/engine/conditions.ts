import { memoize } from "@budgetkit/core/store";
import type { Row } from "@budgetkit/store-kit";
import type { SqlValue, Statements } from "./statements.js";

/** A part of a statement and the values of its placeholders. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export function equals(column: string, value: SqlValue): Condition {
  return { sql: `${column} = ?`, values: [value] };
}

export function isAmong(column: string, values: readonly SqlValue[]): Condition {
  return { sql: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(values)] };
}

export function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => sql).join(" AND "),
    values: conditions.flatMap(({ values }) => values),
  };
}

/** Runs a statement, with further values for its last placeholders. */
export type RunStatement = (statement: Condition, ...rest: SqlValue[]) => readonly Row[];

/** Prepares each statement once, of the combinations of conditions that are in use. */
export function statementRunner(statements: Statements): RunStatement {
  const statementOf = memoize((sql) => statements.rows(sql));
  return ({ sql, values }, ...rest) => statementOf(sql)(...values, ...rest);
}
