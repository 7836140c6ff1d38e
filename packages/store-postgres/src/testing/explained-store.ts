import type { Store } from "@budgetkit/core/store";
import pg from "pg";
import { postgresStore } from "../index.js";
import type { TestSchema } from "./test-schema.js";

/** A store that tells how PostgreSQL went about what it was asked. */
export interface ExplainedStore {
  readonly store: Store;
  /** The plans of the statements that `call` runs, those within functions included. */
  plansOf(call: () => Promise<unknown>): Promise<string[]>;
  close(): Promise<void>;
}

const SETTINGS = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_nested_statements": "on",
  "auto_explain.log_level": "notice",
  "auto_explain.log_timing": "off",
  "auto_explain.log_parameter_max_length": "0",
};

/** On one connection, so that plans which PostgreSQL keeps are those of all calls before. */
export function explainedStore({ url, schema }: TestSchema): ExplainedStore {
  const plans: string[] = [];
  const options = Object.entries(SETTINGS).map(([name, value]) => `-c ${name}=${value}`);
  const pool = new pg.Pool({ connectionString: url, max: 1, options: options.join(" ") });
  pool.on("connect", (client) => client.on("notice", ({ message }) => plans.push(message ?? "")));
  const store = postgresStore(pool, { schema });
  return {
    store,
    plansOf: async (call) => {
      plans.length = 0;
      await call();
      return [...plans];
    },
    close: async () => {
      await store.close();
      await pool.end();
    },
  };
}
