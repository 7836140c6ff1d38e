import { type Expected, uncounted } from "@budgetkit/core/store";
import { idToFind, idToWrite } from "@budgetkit/store-kit";
import type { SqlValue } from "../engine/session.js";
import type { Statements } from "../engine/statements.js";
import type { Inspect } from "./handlers.js";

const OF_KEY = "business_id = $1 AND id = $2";

interface Key {
  readonly businessId: string;
  readonly id: string;
}

/** The writes of a table whose rows have a version. */
export interface VersionedRows {
  /** `values` in the order of the columns. A new row rejects when its id is taken; a replacement may be `"stale"`. */
  prepare(key: Key, values: readonly SqlValue[], expected: Expected): Inspect;
  /** `"missing"` when there is none; `"stale"` when another version than `expected` is there. */
  prepareRemoval(id: string, expected: number | "present"): Inspect;
}

/** `columns`: those beside the key, with their types. */
export function versionedRows(
  statements: Statements,
  table: string,
  columns: Readonly<Record<string, string>>,
): VersionedRows {
  const insert = statements.insert(table, { id: "bigint", ...columns });
  const assignments = Object.keys(columns).map((column, index) => `${column} = $${index + 3}`);
  const update = statements.write(`UPDATE ${table} SET ${assignments.join(", ")} WHERE ${OF_KEY}`);
  const remove = statements.write(`DELETE FROM ${table} WHERE ${OF_KEY}`);
  const findVersion = statements.value(`SELECT version FROM ${table} WHERE ${OF_KEY}`);

  return {
    prepare: ({ businessId, id }, values, expected) => {
      if (expected === "absent") {
        idToWrite(businessId);
        const key = idToWrite(id);
        return async (transaction) => uncounted(() => insert(transaction, key, ...values));
      }
      const key = idToFind(id);
      return async (transaction) => {
        if ((await findVersion(transaction, key)) !== expected) return "stale";
        return uncounted(() => update(transaction, key, ...values));
      };
    },

    prepareRemoval: (id, expected) => {
      const key = idToFind(id);
      return async (transaction) => {
        const version = await findVersion(transaction, key);
        if (expected === "present" && version === undefined) return "missing";
        if (expected !== "present" && version !== expected) return "stale";
        return uncounted(() => remove(transaction, key));
      };
    },
  };
}
