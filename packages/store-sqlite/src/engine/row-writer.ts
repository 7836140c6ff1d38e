import { placeholders, type SqlValue, type Statements } from "./statements.js";

/** Writes whole rows: the values in the order of the columns, then the business and the id. */
export interface RowWriter {
  insert(...row: SqlValue[]): void;
  update(...row: SqlValue[]): void;
}

/** `onConflict`: OR FAIL where the table has triggers. See {@link createBatchRunner}. */
export function rowWriter(
  statements: Statements,
  table: string,
  columns: readonly string[],
  onConflict: "OR ABORT" | "OR FAIL" = "OR ABORT",
): RowWriter {
  const all = [...columns, "business_id", "id"];
  return {
    insert: statements.command(`INSERT ${onConflict} INTO ${table} (${all.join(", ")}) VALUES (${placeholders(all)})`),
    update: statements.command(
      `UPDATE ${onConflict} ${table} SET ${columns.map((column) => `${column} = ?`).join(", ")}
       WHERE business_id = ? AND id = ?`,
    ),
  };
}
