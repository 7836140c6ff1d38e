import type { Row } from "@budgetkit/store-kit";
import type { ClientBase } from "pg";
import type { PreparedStatement, SqlValue } from "./session.js";
import { type BoundStatement, StatementBatch } from "./statement-batch.js";

/** Runs the statements of one transaction. Those of the same turn are sent together, in their order. */
export interface GatheredStatements {
  /** Rejects with the error of the driver, also when a statement before it has failed. */
  run(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly Row[]>;
}

interface Waiting {
  resolve(rows: readonly Row[]): void;
  reject(error: Error): void;
}

export function gatheredOn(client: ClientBase): GatheredStatements {
  let statements: BoundStatement[] = [];
  let waiting: Waiting[] = [];

  function send(): void {
    const callers = waiting;
    const batch = new StatementBatch(statements, (error, rows) => {
      for (const [index, caller] of callers.entries()) {
        if (error === null) caller.resolve(rows[index] ?? []);
        else caller.reject(error);
      }
    });
    statements = [];
    waiting = [];
    client.query(batch);
  }

  return {
    run: ({ text, name }, values) => {
      if (statements.length === 0) process.nextTick(send);
      statements.push({ text, name: `${name}_t`, values }); // not the name by which the driver itself prepares it
      const rows = new Promise<readonly Row[]>((resolve, reject) => waiting.push({ resolve, reject }));
      rows.catch(() => {}); // who waits for another of the statements handles the failure
      return rows;
    },
  };
}
