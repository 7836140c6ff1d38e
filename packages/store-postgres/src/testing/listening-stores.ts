import type { Store } from "@budgetkit/core/store";
import { postgresStore } from "../index.js";
import { testPool } from "./test-pool.js";
import type { TestSchema } from "./test-schema.js";

/** A store that listens, with a pool of its own, as in another process. */
export interface ListeningStore {
  readonly store: Store;
  /** The server process of its listening connection. */
  listeningPid(): Promise<number>;
  close(): Promise<void>;
}

/** `name` is part of the application name of its connections. */
export function listeningStore({ url, schema }: TestSchema, name: string): ListeningStore {
  const pool = testPool({ connectionString: url, max: 4, application_name: `${schema}_${name}` });
  const store = postgresStore(pool, { schema, clock: "caller" });
  return {
    store,
    listeningPid: async () => {
      const { rows } = await pool.query(
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = $1 AND query LIKE 'LISTEN %'`,
        [`${schema}_${name}`],
      );
      return Number(rows[0]?.pid);
    },
    close: async () => {
      await store.close();
      await pool.end();
    },
  };
}
