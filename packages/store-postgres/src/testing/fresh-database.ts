import pg from "pg";
import { onTestFinished } from "vitest";

/** An empty database on the server that all share. */
export interface FreshDatabase {
  readonly url: string;
  /** Runs a statement and gives its rows. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
}

let made = 0;

/** It is removed when the test has ended, whoever is still connected. */
export async function freshDatabase(): Promise<FreshDatabase> {
  made += 1;
  const name = `test_${process.pid}_${made}`;
  const serverUrl = process.env.TEST_DATABASE_URL ?? "";
  const url = serverUrl.replace(/\/[^/?]*(?=\?|$)/, `/${name}`);
  await runOn(serverUrl, `CREATE DATABASE ${name}`);
  onTestFinished(async () => {
    await runOn(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  });
  return { url, query: (sql) => runOn(url, sql) };
}

async function runOn(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
