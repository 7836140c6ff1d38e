import { type Expected, uncounted } from "@budgetkit/core/store";
import { asText, idToFind, idToWrite, orNull, type Row } from "@budgetkit/store-kit";
import { directoryWrites } from "../directory/directory.js";
import type { DirectoryKind } from "../engine/layout.js";
import type { SqlValue } from "../engine/session.js";
import type { Statements } from "../engine/statements.js";
import type { Transaction } from "../engine/transaction.js";
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

/** The columns whose digests the directory leads from. */
interface Digests {
  readonly kind: DirectoryKind;
  readonly columns: readonly string[];
}

/** `columns`: those beside the key, with their types. `digests`: null = the directory does not lead to the rows. */
export function versionedRows(
  statements: Statements,
  table: string,
  columns: Readonly<Record<string, string>>,
  digests: Digests | null = null,
): VersionedRows {
  const insert = statements.insert(table, { id: "bigint", ...columns });
  const assignments = Object.keys(columns).map((column, index) => `${column} = $${index + 3}`);
  const update = statements.write(`UPDATE ${table} SET ${assignments.join(", ")} WHERE ${OF_KEY}`);
  const remove = statements.write(`DELETE FROM ${table} WHERE ${OF_KEY}`);
  const stored = ["version", ...(digests?.columns ?? [])];
  const find = statements.row(`SELECT ${stored.join(", ")} FROM ${table} WHERE ${OF_KEY}`);
  const directory = directoryWrites(statements);
  const places = (digests?.columns ?? []).map((column) => Object.keys(columns).indexOf(column));

  /** `values`: null = the row is removed. */
  function lead(transaction: Transaction, id: number, former: Row, values: readonly SqlValue[] | null): void {
    if (digests === null) return;
    const present = values === null ? [] : places.map((place) => orNull(values[place] ?? null, asText));
    const before = former.map((digest) => orNull(digest, asText));
    directory.replace(transaction, before, { kind: digests.kind, id, digests: present });
  }

  return {
    prepare: ({ businessId, id }, values, expected) => {
      if (expected === "absent") {
        idToWrite(businessId);
        const key = idToWrite(id);
        return async (transaction) =>
          uncounted(() => {
            insert(transaction, key, ...values);
            lead(transaction, key, [], values);
          });
      }
      const key = idToFind(id);
      return async (transaction) => {
        const [version, ...former] = (await find(transaction, key)) ?? [];
        if (version !== expected) return "stale";
        return uncounted(() => {
          update(transaction, key, ...values);
          lead(transaction, key, former, values);
        });
      };
    },

    prepareRemoval: (id, expected) => {
      const key = idToFind(id);
      return async (transaction) => {
        const [version, ...former] = (await find(transaction, key)) ?? [];
        if (expected === "present" && version === undefined) return "missing";
        if (expected !== "present" && version !== expected) return "stale";
        return uncounted(() => {
          remove(transaction, key);
          lead(transaction, key, former, null);
        });
      };
    },
  };
}
