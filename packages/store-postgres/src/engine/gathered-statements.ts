import type { Row } from "@budgetkit/store-kit";
import type { ClientBase } from "pg";
import { asError } from "./failures.js";
import type { PreparedStatement, SqlValue } from "./session.js";
import { type BoundStatement, encodedValue, StatementBatch } from "./statement-batch.js";

/** Runs the statements of one transaction. Those of the same turn are sent together, in their order. */
export interface GatheredStatements {
  /**
   * Rejects with the error of the driver, also when any statement before it has failed: PostgreSQL would answer a COMMIT of
   * a failed transaction with success.
   */
  run(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly Row[]>;
  /** The work of the transaction has failed: nothing more is sent, and what waits rejects. */
  fail(error: Error): void;
}

interface Waiting {
  resolve(rows: readonly Row[]): void;
  reject(error: Error): void;
}

export function gatheredOn(client: ClientBase): GatheredStatements {
  let statements: BoundStatement[] = [];
  let waiting: Waiting[] = [];
  let failure: Error | null = null;

  function send(): void {
    const callers = waiting;
    const end = (error: Error | null, rows: readonly (readonly Row[])[]) => {
      failure = error;
      for (const [index, caller] of callers.entries()) {
        if (error === null) caller.resolve(rows[index] ?? []);
        else caller.reject(error);
      }
    };
    const batch = new StatementBatch(statements, (error, rows) => end(failure ?? error, rows));
    statements = [];
    waiting = [];
    if (failure === null) client.query(batch);
    else end(failure, []);
  }

  return {
    run: ({ text, name }, values) => {
      try {
        const bound = { text, name: `${name}_t`, values: values.map(encodedValue) }; // another name than the driver's own
        if (statements.length === 0) process.nextTick(send);
        statements.push(bound);
      } catch (error) {
        failure = asError(error);
        return handledElsewhere(Promise.reject(failure));
      }
      return handledElsewhere(new Promise((resolve, reject) => waiting.push({ resolve, reject })));
    },
    fail: (error) => {
      failure ??= error;
    },
  };
}

/** Who waits for another of the statements handles the failure too. */
function handledElsewhere<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
