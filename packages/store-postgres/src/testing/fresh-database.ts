import pg from "pg";
import { onTestFinished } from "vitest";
import { nameIn } from "../engine/session.js";
import { postgresStore } from "../index.js";
import { runOn } from "./run-on.js";
import { templateOfRun } from "./template-database.js";

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
  const serverUrl = process.env.TEST_DATABASE_URL ?? "";
  migrated ??= migrateTemplate(serverUrl);
  const database = await newDatabase(serverUrl, await migrated);
  onTestFinished(database.drop);
  return database;
}

let migrated: Promise<string> | null = null; // null = this process has not asked for the template

/** Migrates a database once for all processes of a run: a copy takes a tenth of the time. @returns its name */
async function migrateTemplate(serverUrl: string): Promise<string> {
  const name = templateOfRun(process.ppid); // the parent of all processes with tests runs them
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock(hashtext($1))", [name]);
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [name]);
    if (rowCount !== 0) return name;
    await client.query(`CREATE DATABASE ${name}_unfinished`);
    const store = postgresStore(urlOf(serverUrl, `${name}_unfinished`));
    await store.migrate();
    await store.close();
    await client.query(`ALTER DATABASE ${name}_unfinished RENAME TO ${name}`);
    return name;
  } finally {
    await client.end();
  }
}

/** Creates a database that several tests share. The caller drops it. */
export async function newDatabase(
  serverUrl = process.env.TEST_DATABASE_URL ?? "",
  template = "template1",
): Promise<FreshDatabase> {
  made += 1;
  const name = `test_${process.pid}_${made}`;
  const url = urlOf(serverUrl, name);
  await runOn(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
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

function urlOf(serverUrl: string, database: string): string {
  return serverUrl.replace(/\/[^/?]*(?=\?|$)/, `/${database}`);
}
