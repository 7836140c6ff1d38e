import { type PostgresServer, startPostgres } from "./postgres-server.js";

let server: PostgresServer | null = null;

/**
 * One PostgreSQL for all test files, each of which works in schemas of its own; TEST_DATABASE_URL names another one to
 * use instead.
 */
export async function setup(): Promise<void> {
  if (process.env.TEST_DATABASE_URL !== undefined) return;
  server = await startPostgres();
  process.env.TEST_DATABASE_URL = server.url;
}

export async function teardown(): Promise<void> {
  await server?.stop();
}
