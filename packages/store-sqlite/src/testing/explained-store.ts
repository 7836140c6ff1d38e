import type { Store } from "@budgetkit/core/store";
import BetterSqlite3 from "better-sqlite3";
import { sqliteStore } from "../index.js";

/** An in-memory store that reports the query plans of its statements. */
export interface ExplainedStore {
  readonly store: Store;
  readonly database: BetterSqlite3.Database;
  /**
   * The plans of the statements that `call` runs, in order; insertions have none. What begins and ends
   * each commit is left out: the look for a newer schema, and for a full block of texts.
   */
  plansOf(call: () => Promise<unknown>): Promise<string[]>;
  close(): Promise<void>;
}

const AROUND_EACH_COMMIT = /^SELECT last, searched|budgetkit_migrations/;

export async function explainedStore(): Promise<ExplainedStore> {
  const statements: string[] = [];
  const database = new BetterSqlite3(":memory:", { verbose: (sql) => statements.push(String(sql)) });
  const store = sqliteStore(database);
  await store.migrate();
  return {
    store,
    database,
    plansOf: async (call) => {
      statements.length = 0;
      await call();
      const planned = statements.filter(
        (sql) => /^(?:SELECT|UPDATE|DELETE|WITH)/.test(sql) && !AROUND_EACH_COMMIT.test(sql),
      );
      return planned.map((sql) => {
        const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
        return steps
          .map((step) => (typeof step === "object" && step && "detail" in step ? step.detail : ""))
          .join("; ");
      });
    },
    close: async () => {
      await store.close();
      database.close();
    },
  };
}
