import pg from "pg";
import { onTestFinished } from "vitest";
import { nameIn } from "../sql-names.js";

/** An empty database, for programs that open it by its URL and keep to the schema that is theirs by default. */
export interface FreshDatabase {
  readonly url: string;
  /** Runs a statement with names of that schema written as `@name`. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
}

let made = 0;

/** Makes a database on a server, that of all tests by default. It is removed when the test has ended, whoever is still connected. */
export async function freshDatabase(serverUrl = process.env.TEST_DATABASE_URL ?? ""): Promise<FreshDatabase> {
  made += 1;
  const name = `test_${process.pid}_${made}`;
  const url = serverUrl.replace(/^(\w+:\/\/[^/]*\/)[^?]*/, `$1${name}`);
  await runOn(serverUrl, `CREATE DATABASE ${name}`);
  onTestFinished(async () => {
    await runOn(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  });
  return { url, query: (sql) => runOn(url, nameIn("budgetkit")(sql)) };
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
