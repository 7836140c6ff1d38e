import { type Expected, uncounted } from "@budgetkit/core/store";
import { idToFind, idToWrite } from "@budgetkit/store-kit";
import type { Connection, SqlValue } from "../engine/connection.js";
import { rowWriter } from "../engine/row-writer.js";
import type { Inspect } from "./handlers.js";

const OF_KEY = "business_id = ? AND id = ?";

interface Key {
  readonly businessId: string;
  readonly id: string;
}

/** The writes of a table whose rows have a version. */
export interface VersionedRows {
  /** `values` in the order of the columns. A new row rejects when its id is taken; a replacement may be `"stale"`. */
  prepare(key: Key, values: readonly SqlValue[], expected: Expected): Inspect;
  /** `"missing"` when there is none; `"stale"` when another version than `expected` is there. */
  prepareRemoval(key: Key, expected: number | "present"): Inspect;
}

export function versionedRows(connection: Connection, table: string, columns: readonly string[]): VersionedRows {
  const { insert, update } = rowWriter(connection, table, columns);
  const remove = connection.command(`DELETE FROM ${table} WHERE ${OF_KEY}`);
  const findVersion = connection.value(`SELECT version FROM ${table} WHERE ${OF_KEY}`);

  return {
    prepare: ({ businessId, id }, values, expected) => {
      if (expected === "absent") {
        const row = [...values, idToWrite(businessId), idToWrite(id)];
        return () => uncounted(() => insert(...row));
      }
      const key = [idToFind(businessId), idToFind(id)] as const;
      return () => (findVersion(...key) === expected ? uncounted(() => update(...values, ...key)) : "stale");
    },

    prepareRemoval: ({ businessId, id }, expected) => {
      const key = [idToFind(businessId), idToFind(id)] as const;
      return () => {
        const version = findVersion(...key);
        if (expected === "present" && version === undefined) return "missing";
        if (expected !== "present" && version !== expected) return "stale";
        return uncounted(() => void remove(...key));
      };
    },
  };
}
