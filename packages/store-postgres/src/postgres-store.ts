import {
  checkOptionNames,
  type IdStore,
  type OptionNames,
  type Store,
  type TransactionStore,
} from "@budgetkit/core/store";
import { asInteger } from "@budgetkit/store-kit";
import type pg from "pg";
import { postgresBusinesses } from "./access/businesses.js";
import { postgresKeys } from "./access/keys.js";
import { postgresSessions, postgresUsers } from "./access/users.js";
import { postgresAttachments } from "./attachments/attachments.js";
import { postgresBudgets } from "./budgets/budgets.js";
import { postgresLinkViews } from "./budgets/link-views.js";
import { postgresMails } from "./budgets/mails.js";
import { postgresMessages } from "./budgets/messages.js";
import { postgresPayments } from "./budgets/payments.js";
import { postgresCatalog } from "./catalog/catalog.js";
import { commitQueue } from "./commit/commit-queue.js";
import { type Connection, connectionOf, openness, type StoreClock } from "./commit/connection.js";
import { hostPieces } from "./commit/host-pieces.js";
import { idsForHosts, postgresIds } from "./commit/ids.js";
import { businessOpener } from "./commit/open-business.js";
import { batchRunner } from "./commit/run-batch.js";
import { postgresCommits } from "./commits/postgres-commits.js";
import { refuseHalfCopied } from "./copy/copy-state.js";
import { areTablesDistributed, distribute } from "./distribution/distribute.js";
import { storeFailure } from "./engine/failures.js";
import { createFreeClients } from "./engine/free-clients.js";
import { clientIn, hostSession, isPipelined } from "./engine/host-session.js";
import { ON_CITUS, ON_ONE_SERVER } from "./engine/layout.js";
import { createLineage, type Lineage } from "./engine/lineage.js";
import { countPending, migrate, NewerSchema } from "./engine/migrations.js";
import { explained, newerSchemaExplainer } from "./engine/newer-schema.js";
import { type OwnPool, openOwnPool } from "./engine/own-pool.js";
import { repeatableCalls, repeatableTransactions } from "./engine/repeatable-transactions.js";
import { nameIn, type Session, sessionOn } from "./engine/session.js";
import { statementsIn } from "./engine/statements.js";
import { createWriteProbe } from "./engine/write-probe.js";
import { postgresEvents } from "./events/events.js";
import { postgresIdempotency } from "./events/idempotency.js";
import { postgresLedger } from "./events/ledger.js";
import { postgresIntegrations } from "./integrations/integrations.js";
import { postgresRateLimits } from "./limits/rate-limits.js";
import { postgresStorage } from "./limits/storage-use.js";
import { postgresUploadQuotas } from "./limits/upload-quotas.js";
import { otherProcesses } from "./processes/other-processes.js";
import { SCHEMA } from "./schema.js";
import { textIndexer } from "./search/index-texts.js";
import { postgresSigningKeys } from "./signing/signing-keys.js";
import { postgresDashboard } from "./usage/dashboard.js";
import { postgresSales } from "./usage/sales.js";
import { postgresUsage } from "./usage/usage.js";
import { postgresReplays } from "./webhooks/replays.js";
import { postgresDeliveries } from "./webhooks/webhook-deliveries.js";
import { postgresDispatch } from "./webhooks/webhook-dispatch.js";
import { postgresEndpoints } from "./webhooks/webhook-endpoints.js";

export interface PostgresStoreOptions {
  /** The schema that holds the tables and functions; created when missing. Default `"budgetkit"`. */
  readonly schema?: string;
  /**
   * The clock by which budgets expire, webhook deliveries are due, leases expire and rate-limit windows slide. Default
   * `"database"`: machines with different clocks agree. `"caller"` is for tests that set the time.
   */
  readonly clock?: StoreClock;
  /**
   * Whether other processes notify this one of work, by LISTEN on a connection of its own. With a `Pool` of the
   * application it keeps one connection until the store is closed, unless the pool has only one. Set it to false for a
   * `Pool` behind PgBouncer in transaction mode, where LISTEN does not work; from a connection string the store detects
   * that mode. Without it webhooks of other processes' commits leave within seconds, and a copy into the schema does not
   * detect the store. Default true.
   */
  readonly listen?: boolean;
  /**
   * Whether the schema is on Citus, with the business tables distributed over its workers by business. `migrate()`
   * distributes what is not yet, and locks the tables meanwhile. Default false.
   */
  readonly distributed?: boolean;
}

const OPTIONS: OptionNames<PostgresStoreOptions> = { schema: true, clock: true, listen: true, distributed: true };

/**
 * A store in PostgreSQL, from a connection string or from a `Pool` of the application, which the application closes.
 * Call `migrate()` before the first use. Throws a RangeError for an unknown option, and for a connection string with
 * several hosts.
 */
export function postgresStore(source: string | pg.Pool, options: PostgresStoreOptions = {}): Store {
  checkOptionNames("postgresStore", options, OPTIONS);
  const { schema = "budgetkit", clock = "database", listen = true, distributed = false } = options;
  const { pool, keepsSessions, end } = typeof source === "string" ? openOwnPool(source) : poolOfHost(source);
  const named = nameIn(schema);
  const { assertOpen, close } = openness();
  const explain = newerSchemaExplainer(sessionOn(pool), schema, SCHEMA, close);
  const session = explained(sessionOn(pool), explain);
  const layout = distributed ? ON_CITUS : ON_ONE_SERVER;
  const statements = statementsIn(named, layout.inserting);
  const openBusiness = businessOpener(statements);
  const transactions = { version: SCHEMA.functionsVersion, explain, layout };
  const inTransaction = repeatableTransactions(pool, named, transactions);
  const callOnce = repeatableCalls(pool, named, transactions);
  const queue = commitQueue(batchRunner(inTransaction, openBusiness), layout);
  const lineage = createLineage();
  const compareLineage = async () =>
    lineage.note((await session.run({ text: named("SELECT @lineage()") }, []))[0]?.[0]);
  const onListening = () => void compareLineage().catch(ignore); // later calls compare it again
  const others = otherProcesses({ source, schema, session, listen, keepsSessions, onListening });
  const drains = [queue.drain];
  const connection = connectionOf({
    clock,
    layout,
    session,
    named,
    statements,
    runPiece: queue.run,
    inTransaction,
    callOnce,
    assertOpen,
    noteWork: others.noteWork,
    onIdTaken: lineage.lose,
    drains,
    repeatsReads: true,
  });
  const clients = createFreeClients(pool);
  const probeWrites = createWriteProbe(clients, named, lineage);
  const indexTexts = textIndexer(pool, named);
  const ids = postgresIds(connection, lineage);
  const hostIds = idsForHosts(ids, lineage);
  const findPendingOn = (client: pg.PoolClient) => {
    const onClient = newerSchemaExplainer(sessionOn(client), schema, SCHEMA, close);
    return findPendingSteps(explained(sessionOn(client), onClient), schema);
  };
  pool.on("error", ignore); // the pool has removed the idle connection that was lost

  return {
    databaseSystem: "postgresql",
    ...ids,
    ...portsOn(connection, clock),
    onLostCommits: lineage.onLostCommits,
    ...(others.onWork === undefined ? {} : { onWork: others.onWork }),

    withConnection: (host) => {
      const client = clientIn(host);
      const runPiece = hostPieces(client, { named, open: openBusiness, version: SCHEMA.functionsVersion, layout });
      const parts = {
        clock: "caller",
        layout,
        session: hostSession(client),
        named,
        statements,
        runPiece,
        assertOpen,
      } as const;
      const within = connectionOf({ ...parts, inTransaction, callOnce, onIdTaken: lineage.lose, repeatsReads: false });
      return portsWithin(within, hostIds);
    },

    migrate: async () => {
      assertOpen();
      await migrate(pool, schema, SCHEMA);
      if (distributed) await distribute(pool, schema);
      else if (await areTablesDistributed(session, schema)) throw new Error(NEEDS_OPTION);
      await refuseHalfCopied(session, schema);
    },

    pendingMigrations: async () => {
      assertOpen();
      try {
        const pending = await countPending(session, schema, SCHEMA);
        await refuseHalfCopied(session, schema);
        return pending;
      } catch (error) {
        throw storeFailure(error);
      }
    },

    findOutage: async () => {
      try {
        assertOpen();
        return (await clients.use((client) => findPendingOn(client))) ?? (await probeWrites());
      } catch (error) {
        if (error instanceof NewerSchema) close(error.message); // it would write what the newer release does not expect
        return error instanceof Error ? error.message : String(error);
      }
    },

    indexTexts: async (limit) => {
      assertOpen();
      return indexTexts(limit);
    },

    ...(clock === "caller" ? {} : { readClock: clockReader(connection, lineage) }),

    close: async () => {
      close("the store was closed");
      await Promise.all(drains.map((drain) => drain()));
      await others.close();
      clients.close();
      await end();
    },
  };
}

/** A pool of the application stays open. */
function poolOfHost(pool: pg.Pool): OwnPool {
  if (isPipelined(pool.options)) throw new TypeError("the pool must not have the option pipeline");
  return { pool, keepsSessions: async () => true, end: async () => void pool.off("error", ignore) };
}

/** Compares the lineage too: maintenance reads the clock every few seconds. */
function clockReader(connection: Connection, lineage: Pick<Lineage, "note">): () => Promise<number> {
  const read = connection.row("SELECT @database_now(), @lineage()");
  return async () => {
    const [now, present] = (await read()) ?? [];
    lineage.note(present);
    return asInteger(now);
  };
}

/** Names the steps that the schema lacks; null = none. */
async function findPendingSteps(session: Session, schema: string): Promise<string | null> {
  const pending = await countPending(session, schema, SCHEMA);
  return pending > 0 ? `the schema ${schema} lacks ${pending} of its steps: migrate it` : null;
}

/** The ports within a host's transaction. Ids are reserved outside of it. */
function portsWithin(connection: Connection, ids: IdStore): TransactionStore {
  return {
    ...postgresCommits(connection),
    ...ids,
    ...postgresBudgets(connection),
    ...postgresLinkViews(connection),
    ...postgresPayments(connection),
    ...postgresMails(connection),
    ...postgresMessages(connection),
    ...postgresCatalog(connection),
    listEvents: postgresEvents(connection).listEvents,
    readLedger: postgresEvents(connection).readLedger,
    findLedgerBounds: postgresLedger(connection).findLedgerBounds,
    findBusiness: postgresBusinesses(connection).findBusiness,
    ...postgresStorage(connection),
    ...postgresSigningKeys(connection),
  };
}

type Ports = Omit<
  Store,
  | keyof IdStore
  | "withConnection"
  | "migrate"
  | "pendingMigrations"
  | "findOutage"
  | "indexTexts"
  | "readClock"
  | "close"
  | "onWork"
  | "onLostCommits"
>;

function portsOn(connection: Connection, clock: StoreClock): Ports {
  return {
    ...postgresCommits(connection),
    ...postgresBudgets(connection),
    ...postgresLinkViews(connection),
    ...postgresPayments(connection),
    ...postgresMails(connection),
    ...postgresMessages(connection),
    ...postgresEvents(connection),
    ...postgresLedger(connection),
    ...postgresIdempotency(connection),
    ...postgresBusinesses(connection),
    ...postgresUsers(connection),
    ...postgresSessions(connection),
    ...postgresKeys(connection),
    ...postgresCatalog(connection),
    ...postgresAttachments(connection),
    ...postgresIntegrations(connection),
    ...postgresUsage(connection),
    ...postgresDashboard(connection),
    ...postgresSales(connection),
    ...postgresUploadQuotas(connection),
    ...postgresStorage(connection),
    ...postgresSigningKeys(connection),
    ...postgresRateLimits(connection, clock),
    ...postgresEndpoints(connection),
    ...postgresDispatch(connection, clock),
    ...postgresDeliveries(connection, clock),
    ...postgresReplays(connection, clock),
  };
}

const NEEDS_OPTION =
  "the tables of the schema are distributed by Citus: pass the option distributed: true to postgresStore";

function ignore(): void {}
