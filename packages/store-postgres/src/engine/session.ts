import { createHash } from "node:crypto";
import type { Row } from "@budgetkit/store-kit";
import type { ClientBase, Pool, QueryArrayConfig } from "pg";
import pg from "pg";
import { COLUMN_TYPES } from "./column-types.js";
import { isLost, isRolledBack, storeFailure } from "./failures.js";

/** A value of a statement. Bytes are sent in the binary format of its type. */
export type SqlValue = string | number | boolean | null | readonly (string | number | boolean | null)[] | Uint8Array;

/** A statement as it is sent. With a name it is prepared once per connection. */
interface Statement {
  readonly text: string;
  readonly name?: string;
}

/** A statement with a name. */
export type PreparedStatement = Required<Statement>;

/** Runs statements: on the pool, or on a host's connection with an open transaction. */
export interface Session {
  /** Runs one statement. Rejects with the error of the driver. */
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

/** Gives the SQL with the schema before each name: `@budgets` becomes `"budgetkit".budgets`. */
export function nameIn(schema: string): (sql: string) => string {
  if (/['$\0]/.test(schema)) throw new RangeError("the name of a schema must not hold quotation marks or dollar signs");
  const prefix = `${pg.escapeIdentifier(schema)}.`;
  return (sql) => sql.replace(/@([a-z][a-z_]*)/g, (_, name: string) => `${prefix}${name}`);
}

/** A prepared statement, named by the hash of its text, so that two statements never share a name. */
export function prepared(text: string): PreparedStatement {
  return { text, name: `budgetkit_${createHash("sha256").update(text).digest("hex").slice(0, 32)}` };
}

const PAUSES_MS = [0, 50, 250] as const;

/**
 * Runs idempotent work, and retries it after a pause when the connection was lost or the server has rolled it back.
 * Rejects with StoreUnavailable when the store cannot serve.
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

export function isLostOrRolledBack(error: unknown): boolean {
  return isLost(error) || isRolledBack(error);
}
