import type { Store } from "@budgetkit/core/store";
import pg from "pg";
import { postgresStore } from "../index.js";
import type { TestSchema } from "./test-schema.js";

/** A store that hears of what others on its schema do, as in a process of its own, and keeps keys. */
export interface ListeningStore {
  readonly store: Store;
  /** How many statements have looked a key up by its digest. */
  keyReads(): number;
  /** The server process of its listening connection. */
  listeningPid(): Promise<number>;
  close(): Promise<void>;
}

/** With a pool of its own, under a name by which the server knows it. */
export function listeningStore({ url, schema }: TestSchema, name: string): ListeningStore {
  const pool = new pg.Pool({ connectionString: url, max: 4, application_name: `${schema}_${name}` });
  const store = postgresStore(pool, { schema, clock: "caller", keyCache: true });
  const query = pool.query.bind(pool);
  let reads = 0;
  Object.assign(pool, {
    query: (...given: Parameters<typeof query>) => {
      if (JSON.stringify(given[0]).includes("previous_key_hash = ")) reads += 1;
      return query(...given);
    },
  });
  return {
    store,
    keyReads: () => reads,
    listeningPid: async () => {
      const { rows } = await query(
        `SELECT pid FROM pg_stat_activity WHERE application_name = $1
           AND (query LIKE 'LISTEN %' OR query LIKE '%renew_key_cache%' OR query = 'SELECT pg_notify($1, $2)')`,
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
