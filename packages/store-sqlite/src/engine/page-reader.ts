import type { Page } from "@budgetkit/core/store";
import { asInteger, type Row } from "@budgetkit/store-kit";
import type { Connection } from "./connection.js";

/** Of the same millisecond the highest id is the newest. */
const NEWEST_FIRST = "created_at DESC, id DESC";

/** What a page shows: `from` names a table and the rows of one key, as "notes WHERE business_id = ?". */
interface Listed {
  readonly columns: string;
  readonly from: string;
  readonly order?: string;
}

/** Lists the rows of a key, and counts all of them, on one snapshot. */
export function pageReader<T>(
  connection: Connection,
  { columns, from, order = NEWEST_FIRST }: Listed,
  read: (row: Row) => T,
) {
  const count = connection.value(`SELECT count(*) FROM ${from}`);
  const list = connection.rows(`SELECT ${columns} FROM ${from} ORDER BY ${order} LIMIT ? OFFSET ?`);
  return (key: readonly number[], limit: number, offset: number): Promise<Page<T>> =>
    connection.snapshot(() => {
      const entries = list(...key, limit, offset).map((row) => read(row));
      return { entries, total: asInteger(count(...key)), nextCursor: null };
    });
}
