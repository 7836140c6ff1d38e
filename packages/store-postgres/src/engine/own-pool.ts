import { StoreUnavailable } from "@budgetkit/core/store";
import pg from "pg";
import { readConnectionString } from "./connection-string.js";
import { codeOf } from "./failures.js";
import { ownSockets } from "./own-sockets.js";

/** A pool of the store's own. Its URL may lead to PostgreSQL or to a pooler such as PgBouncer. */
export interface OwnPool {
  readonly pool: pg.Pool;
  /**
   * True when a connection keeps its state between transactions: false behind a pooler in transaction mode, where LISTEN
   * and session settings reach any connection of the server. Looked up once. Rejects when such a pooler does not support
   * prepared statements.
   */
  keepsSessions(): Promise<boolean>;
  /** Closes the connections, also those whose server no longer answers. */
  end(): Promise<void>;
}

/** How long a call waits for a connection, and for an answer, before it fails with StoreUnavailable. */
const CONNECTS_WITHIN_MS = 5_000;
const ANSWERS_WITHIN_MS = 15_000;

/** Idle connections whose packets are lost are closed after this and ten probes, one a second on Linux. */
export const KEEPS_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** Else the server would still run the statement after the client gave up. A timeout of the role or the URL stays. */
const LIMIT_STATEMENTS = {
  text: "SELECT set_config('statement_timeout', $1, false) WHERE current_setting('statement_timeout') = '0'",
  values: [String(ANSWERS_WITHIN_MS)],
};

/** Throws for a connection string that cannot be used: see {@link readConnectionString}. */
export function openOwnPool(connectionString: string): OwnPool {
  const { takesWrites } = readConnectionString(connectionString);
  const config = {
    connectionString,
    connectionTimeoutMillis: CONNECTS_WITHIN_MS,
    query_timeout: ANSWERS_WITHIN_MS,
    ...KEEPS_ALIVE,
    application_name: "budgetkit",
  };
  let found: Promise<boolean> | null = null; // null = not looked up, or the attempt failed
  const keepsSessions = () => {
    found ??= compareBackends(config).catch((error: unknown) => {
      found = null;
      throw error;
    });
    return found;
  };
  // PgBouncer refuses statement_timeout among the parameters of a new connection.
  const onConnect = async (client: pg.ClientBase): Promise<void> => {
    if (await keepsSessions()) await client.query(LIMIT_STATEMENTS);
    if (takesWrites) await refuseReadOnly(client);
  };
  const { stream, endInTime } = ownSockets();
  const pool = new pg.Pool({ ...config, stream, onConnect });
  const end = async () => {
    if (!pool.ended) await endInTime(() => pool.end());
  };
  return { pool, keepsSessions, end };
}

/** `target_session_attrs` in the connection string, which the driver ignores. The pool closes the connection. */
async function refuseReadOnly(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query("SELECT current_setting('transaction_read_only')::boolean AS refuses");
  if (rows[0]?.refuses === true) throw new StoreUnavailable(TAKES_NO_WRITES);
}

const TAKES_NO_WRITES =
  "PostgreSQL cannot serve: target_session_attrs requires a server that takes writes, and this one is a standby or read-only";

/** A prepared statement, so that a pooler without support for them is noticed too. */
const BACKEND = { name: "budgetkit_backend", text: "SELECT pg_backend_pid() AS pid" };

/** Without a pooler for transactions, two connections have a backend each and keep it. */
async function compareBackends(config: pg.ClientConfig): Promise<boolean> {
  const { stream, endInTime } = ownSockets();
  const [one, other] = [new pg.Client({ ...config, stream }), new pg.Client({ ...config, stream })];
  const backendOf = async (client: pg.Client): Promise<unknown> => (await client.query(BACKEND)).rows[0]?.pid;
  try {
    for (const client of [one, other]) {
      client.on("error", ignore); // the statement under way rejects too
      await client.connect();
    }
    const first = [await backendOf(one), await backendOf(other)];
    const second = [await backendOf(one), await backendOf(other)];
    return first[0] === second[0] && first[1] === second[1] && first[0] !== first[1];
  } catch (error) {
    throw UNPREPARED.test(codeOf(error)) ? new StoreUnavailable(needsPreparedStatements, { cause: error }) : error;
  } finally {
    await endInTime(() => Promise.all([one, other].map((client) => client.end().catch(ignore))));
  }
}

/** SQLSTATEs for a prepared statement that exists already, or does not exist. */
const UNPREPARED = /^(?:42P05|26000)$/;

const needsPreparedStatements =
  "PgBouncer runs in transaction mode without prepared statements: set pool_mode = session, or use version 1.21 or later " +
  "with max_prepared_statements above 0";

function ignore(): void {}
