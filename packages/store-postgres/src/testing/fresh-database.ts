import pg from "pg";
import { onTestFinished } from "vitest";
import { nameIn } from "../engine/session.js";
import { postgresStore } from "../index.js";
import { copyOfTemplate, urlOf } from "./copied-database.js";
import { runOn } from "./run-on.js";

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

/** Creates a database that the end of the test removes, on the server that all tests share, with the schema up to date. */
export async function migratedDatabase(): Promise<FreshDatabase> {
  const database = await newDatabase(undefined, (name) => copyOfTemplate(name, MIGRATED));
  onTestFinished(database.drop);
  return database;
}

const MIGRATED = {
  name: "migrated",
  fill: async (url: string) => {
    const store = postgresStore(url);
    await store.migrate();
    await store.close();
  },
};

/** Creates a database that several tests share. The caller drops it. */
export async function newDatabase(
  serverUrl = process.env.TEST_DATABASE_URL ?? "",
  create: (name: string) => Promise<unknown> = (name) => runOn(serverUrl, `CREATE DATABASE ${name}`),
): Promise<FreshDatabase> {
  made += 1;
  const name = `test_${process.pid}_${made}`;
  const url = urlOf(name, serverUrl);
  await create(name);
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
