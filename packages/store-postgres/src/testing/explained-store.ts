import type { Store } from "@budgetkit/core/store";
import { postgresStore } from "../index.js";
import { testPool } from "./test-pool.js";
import type { TestSchema } from "./test-schema.js";

/** A store that reports the plans of its statements, also of those within functions. */
export interface ExplainedStore {
  readonly store: Store;
  /**
   * The plans of the statements of `ask`, each from its first line, once PostgreSQL keeps a generic plan: it plans the
   * first calls of a prepared statement for their values. `turn` counts the calls of `ask` from 0.
   */
  plansOf(ask: (store: Store, turn: number) => Promise<unknown>): Promise<string[]>;
  /** The same after a single call, whose statements are planned for its values. */
  plansOfOne(call: () => Promise<unknown>): Promise<string[]>;
  close(): Promise<void>;
}

const SETTINGS = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_nested_statements": "on",
  client_min_messages: "log",
};

const SETTLES_WITHIN = 8;

/** On one connection. The user has to be a superuser of the server. */
export function explainedStore({ url, schema }: TestSchema): ExplainedStore {
  const options = Object.entries(SETTINGS).map(([name, value]) => `-c ${name}=${value}`);
  const pool = testPool({ connectionString: url, options: options.join(" "), max: 1 });
  const store = postgresStore(pool, { schema });
  let plans: string[] = [];
  pool.on("connect", (client) => {
    client.on("notice", ({ message = "" }) => {
      const [, plan] = /plan:\nQuery Text:.*?\n(\S[^\n]*\(cost=.*)/s.exec(message) ?? [];
      if (plan !== undefined) plans.push(plan);
    });
  });

  return {
    store,
    plansOf: async (ask) => {
      for (let turn = 0; turn < SETTLES_WITHIN; turn += 1) {
        plans = [];
        await ask(store, turn);
      }
      return plans;
    },
    plansOfOne: async (call) => {
      plans = [];
      await call();
      return plans;
    },
    close: async () => {
      await store.close();
      await pool.end();
    },
  };
}
