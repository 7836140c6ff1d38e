import { BUDGET, ITEM_COLUMNS } from "./queries.js";

export const READ_BUDGET = { name: "read budget", text: `${quoted(BUDGET)} WHERE business_id = $1 AND id = $2` };
export const READ_ITEMS = {
  name: "read items",
  text: `SELECT ${quoted(ITEM_COLUMNS)} FROM items WHERE budget_id = $1 ORDER BY position`,
};

/** PostgreSQL folds names that are not quoted. */
function quoted(sql: string): string {
  return sql.replace(/ AS (\w+)/g, ' AS "$1"');
}
