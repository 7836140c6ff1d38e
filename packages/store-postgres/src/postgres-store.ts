import type { IdStore, Store, StoreWithin } from "@budgetkit/core/store";
import pg from "pg";
import { postgresAccess } from "./access.js";
import { postgresAttachments } from "./attachments.js";
import { postgresBudgets } from "./budgets.js";
import { postgresBusinesses } from "./businesses.js";
import { postgresCatalog } from "./catalog.js";
import { commitsWithin, groupedCommits } from "./commits.js";
import { type Connection, connectionOf, openness } from "./connection.js";
import { refuseHalfCopied } from "./copy-state.js";
import { postgresDashboard } from "./dashboard.js";
import { postgresEvents } from "./events.js";
import { storeFailure } from "./failures.js";
import { hostSession } from "./host-session.js";
import { postgresIdempotency } from "./idempotency.js";
import { idsForHosts, postgresIds } from "./ids.js";
import { postgresIntegrations } from "./integrations.js";
import type { KnownKeys } from "./keys.js";
import { countPending, isCurrent, migrate } from "./migrations.js";
import { otherProcesses } from "./other-processes.js";
import { postgresPayments } from "./payments.js";
import { postgresRateLimits } from "./rate-limits.js";
import { MIGRATIONS } from "./schema.js";
import { type Session, sessionOn } from "./session.js";
import { nameIn } from "./sql-names.js";
import type { StoreClock } from "./store-clock.js";
import { postgresUploadQuotas } from "./upload-quotas.js";
import { postgresUsage } from "./usage.js";
import { postgresWebhooks } from "./webhooks.js";

export interface PostgresStoreOptions {
  /** The schema that holds the tables and functions; made when it is missing. Default `"budgetkit"`. */
  readonly schema?: string;
  /**
   * Whose clock decides when webhook deliveries fall due, leases lapse and rate-limit windows slide. Default
   * `"database"`: machines whose clocks differ agree about it. `"caller"` is for tests that move time by hand.
   */
  readonly clock?: StoreClock;
  /**
   * Whether to hear at once what other processes have committed, by LISTEN on a connection of its own. Of a `Pool` of the
   * application's it takes one connection until the store is closed, unless the pool has only one. Turn it off behind
   * PgBouncer in transaction mode, where LISTEN does not work: webhooks of what others have committed then leave within
   * some seconds, and a copy into the schema does not notice the store. Default true.
   */
  readonly listen?: boolean;
  /**
   * Whether an API key that was read is used without reading it again, for as long as nobody changes it. A revocation
   * holds as soon as ever: no process uses the key any more when the change is made. So a change of a key takes some
   * milliseconds, or some seconds once after a process that used keys was killed, and each time while one cannot be
   * reached; and whenever a process makes it that does not listen, while others do. Needs `listen`. Default false.
   *
   * It relies on clocks that run: a machine that is stopped for seconds, its clocks included, as virtual machines can be,
   * may use a key that was revoked meanwhile for two seconds after it goes on.
   */
  readonly keyCache?: boolean;
}

/** How long a request waits for a connection, and for an answer, before it is told that the store cannot serve. */
const CONNECTS_WITHIN_MS = 5_000;
const ANSWERS_WITHIN_MS = 15_000;

/**
 * A store in PostgreSQL: a connection string, or a `Pool` of the application's, which stays the application's to close.
 * Call `migrate()` before the first use.
 */
export function postgresStore(source: string | pg.Pool, options: PostgresStoreOptions = {}): Store {
  const { schema = "budgetkit", clock = "database", listen = true, keyCache = false } = options;
  const isOurs = typeof source === "string";
  const pool = isOurs ? openPool(source) : source;
  const session = sessionOn(pool);
  const named = nameIn(schema);
  const { assertOpen, close } = openness();
  const commit = groupedCommits(session, named);
  const connection = connectionOf({ session, named, commit, assertOpen, repeatsReads: true });
  const others = otherProcesses({ source, schema, session, connection, named, listen, keyCache });
  const hostIds = idsForHosts(postgresIds(connection));
  pool.on("error", ignore); // an idle connection was lost, and the pool has let go of it

  return {
    databaseSystem: "postgresql",
    ...portsOn(others.connection, clock, others.keys),
    ...(others.onWork === undefined ? {} : { onWork: others.onWork }),

    within: (client) => portsWithin(hostSession(client), hostIds, named, assertOpen),

    migrate: async () => {
      assertOpen();
      await migrate(pool, schema, MIGRATIONS);
      await refuseHalfCopied(session, schema);
    },

    pendingMigrations: async () => {
      assertOpen();
      try {
        const pending = await countPending(session, schema, MIGRATIONS);
        await refuseHalfCopied(session, schema);
        return pending;
      } catch (error) {
        throw storeFailure(error);
      }
    },

    isReady: async () => {
      try {
        assertOpen();
        return await isCurrent(session, schema, MIGRATIONS);
      } catch {
        return false;
      }
    },

    close: async () => {
      close();
      await commit.drain();
      await others.close();
      if (!isOurs) pool.off("error", ignore);
      else if (!pool.ended) await pool.end();
    },
  };
}

/** The ports that take part in a transaction of the host. Ids are drawn outside of it. */
function portsWithin(
  session: Session,
  ids: IdStore,
  named: (sql: string) => string,
  assertOpen: () => void,
): StoreWithin {
  const commit = commitsWithin(session, named);
  const connection = connectionOf({ session, named, commit, assertOpen, repeatsReads: false });
  return {
    ...ids,
    ...postgresBudgets(connection),
    ...postgresPayments(connection),
    ...postgresCatalog(connection),
    listEvents: postgresEvents(connection).listEvents,
    findBusiness: postgresBusinesses(connection).findBusiness,
  };
}

type Ports = Omit<Store, "within" | "migrate" | "pendingMigrations" | "isReady" | "close" | "onWork">;

function portsOn(connection: Connection, clock: StoreClock, keys: KnownKeys): Ports {
  return {
    ...postgresIds(connection),
    ...postgresBudgets(connection),
    ...postgresPayments(connection),
    ...postgresEvents(connection),
    ...postgresIdempotency(connection),
    ...postgresAccess(connection, keys),
    ...postgresCatalog(connection),
    ...postgresAttachments(connection),
    ...postgresIntegrations(connection),
    ...postgresUsage(connection),
    ...postgresDashboard(connection),
    ...postgresUploadQuotas(connection),
    ...postgresRateLimits(connection, clock),
    ...postgresWebhooks(connection, clock),
  };
}

function ignore(): void {}

function openPool(connectionString: string): pg.Pool {
  return new pg.Pool({
    connectionString,
    connectionTimeoutMillis: CONNECTS_WITHIN_MS,
    query_timeout: ANSWERS_WITHIN_MS,
    statement_timeout: ANSWERS_WITHIN_MS, // the server gives up too, or what nobody waits for would go on
    keepAlive: true,
    application_name: "budgetkit",
  });
}
