import pg from "pg";

/** Runs a statement on a connection of its own. */
export async function runOn(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {}); // the statement rejects too
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
