import pg from "pg";
import { onTestFinished } from "vitest";
import { nameIn } from "../engine/session.js";

/** An empty database, for programs that open it by its URL and use the default schema. */
export interface FreshDatabase {
  readonly url: string;
  /** Runs a statement, in which `@name` is a name of the default schema. @returns the rows */
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  /** Locks a table of the default schema for all others. @returns a function that ends the lock */
  lock(table: string): Promise<() => Promise<void>>;
  /** Removes the database and cuts its connections. */
  drop(): Promise<void>;
}

let made = 0;

/** Creates a database that the end of the test removes, on the server that all tests share or on another one. */
export async function freshDatabase(serverUrl?: string): Promise<FreshDatabase> {
  const database = await newDatabase(serverUrl);
  onTestFinished(database.drop);
  return database;
}

/** Creates a database that several tests share. The caller drops it. */
export async function newDatabase(serverUrl = process.env.TEST_DATABASE_URL ?? ""): Promise<FreshDatabase> {
  made += 1;
  const name = `test_${process.pid}_${made}`;
  const url = serverUrl.replace(/\/[^/?]*(?=\?|$)/, `/${name}`);
  await runOn(serverUrl, `CREATE DATABASE ${name}`);
  return {
    url,
    query: (sql) => runOn(url, nameIn("budgetkit")(sql)),
    lock: async (table) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query("BEGIN");
      await client.query(nameIn("budgetkit")(`LOCK TABLE @${table}`));
      return () => client.end();
    },
    drop: async () => void (await runOn(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

/** Runs a statement on a connection of its own. */
export async function runOn(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
