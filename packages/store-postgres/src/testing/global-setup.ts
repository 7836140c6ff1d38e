import { nameTemplates } from "./copied-database.js";
import { type PostgresServer, preparePostgres, startPostgres } from "./postgres-server.js";

let prepared: ReturnType<typeof preparePostgres> | null = null;
let server: PostgresServer | null = null;
const templates = nameTemplates();

/** No test needs what these keep: the data are lost with the server. */
const SETTINGS = {
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  checkpoint_timeout: "1h",
  jit: "off",
};

/** One PostgreSQL for all test files, each of which uses its own databases or schemas. TEST_DATABASE_URL names another server. */
export async function setup(): Promise<void> {
  prepared = preparePostgres(); // some tests start a server of their own
  if (process.env.TEST_DATABASE_URL !== undefined) return;
  server = await startPostgres({ settings: SETTINGS });
  process.env.TEST_DATABASE_URL = server.url;
}

export async function teardown(): Promise<void> {
  if (server === null) await templates.remove(process.env.TEST_DATABASE_URL ?? "");
  await server?.stop();
  prepared?.remove();
}
