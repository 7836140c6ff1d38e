import { type PostgresServer, preparePostgres, startPostgres } from "./postgres-server.js";
import { dropTemplate } from "./template-database.js";

let prepared: ReturnType<typeof preparePostgres> | null = null;
let server: PostgresServer | null = null;

/** One PostgreSQL for all test files, each of which uses its own schemas. TEST_DATABASE_URL names another server. */
export async function setup(): Promise<void> {
  prepared = preparePostgres(); // some tests start a server of their own
  if (process.env.TEST_DATABASE_URL !== undefined) return;
  server = await startPostgres();
  process.env.TEST_DATABASE_URL = server.url;
}

export async function teardown(): Promise<void> {
  if (server === null) await dropTemplate(process.env.TEST_DATABASE_URL ?? "");
  await server?.stop();
  prepared?.remove();
}
