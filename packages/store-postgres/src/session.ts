import { createHash } from "node:crypto";
import type { ClientBase, Pool, QueryArrayConfig } from "pg";
import { COLUMN_TYPES } from "./column-types.js";
import { isLost, isRolledBack, storeFailure } from "./failures.js";
import type { Row } from "./rows.js";

/** What PostgreSQL is given. */
export type SqlValue = string | number | boolean | null | readonly (string | number)[];

/** A statement as it is sent: prepared once a connection when it has a name. */
export interface Statement {
  readonly text: string;
  readonly name?: string;
}

/** Whatever statements run on: the pool, or a connection that the host has a transaction open on. */
export interface Session {
  /** Runs one statement. Rejects with what the driver says. */
  run(statement: Statement, values: readonly SqlValue[]): Promise<readonly Row[]>;
}

export function sessionOn(connection: Pool | ClientBase): Session {
  return {
    run: async (statement, values) => {
      const query: QueryArrayConfig<unknown[]> = {
        ...statement,
        values: [...values],
        rowMode: "array",
        types: COLUMN_TYPES,
      };
      return (await connection.query(query)).rows;
    },
  };
}

/** A statement that is prepared under a name that stands for its text, so that two never share one. */
export function prepared(text: string): Statement {
  return { text, name: `budgetkit_${createHash("sha256").update(text).digest("hex").slice(0, 32)}` };
}

const PAUSES_MS = [0, 50, 250] as const;

/**
 * Runs what may be done again without harm: once more, after a moment, when the connection was lost or the server has
 * undone it. Rejects with StoreUnavailable when the store cannot serve.
 */
export async function repeatedly<T>(work: () => Promise<T>, mayRepeat = isLostOrRolledBack): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (!mayRepeat(error)) throw storeFailure(error);
    }
    await new Promise<void>((resolve) => setTimeout(resolve, pause));
  }
  return work().catch((error: unknown) => Promise.reject(storeFailure(error)));
}

function isLostOrRolledBack(error: unknown): boolean {
  return isLost(error) || isRolledBack(error);
}
