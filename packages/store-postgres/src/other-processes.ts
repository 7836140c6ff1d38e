import pg from "pg";
import type { Connection } from "./connection.js";
import { createKeyCache } from "./key-cache.js";
import { keyChanges } from "./key-changes.js";
import { keyLease } from "./key-lease.js";
import type { KnownKeys } from "./keys.js";
import { createListener, type ListeningClient } from "./listener.js";
import { prepared, type Session } from "./session.js";
import { tellingOfWork, workSignals } from "./work-signals.js";

/** What a store has to do with the other processes on its schema. */
export interface OtherProcesses {
  /** The connection, with others told of what concerns them. */
  readonly connection: Connection;
  readonly keys: KnownKeys;
  /** Undefined = it would never be called. */
  readonly onWork: ((listener: () => void) => () => void) | undefined;
  /** Tells what is to be told, and hears no more. */
  close(): Promise<void>;
}

export interface OtherProcessesOptions {
  readonly source: string | pg.Pool;
  readonly schema: string;
  readonly session: Session;
  readonly connection: Connection;
  readonly named: (sql: string) => string;
  readonly listen: boolean;
  readonly keyCache: boolean;
}

const CONNECTS_WITHIN_MS = 5_000;
const ANSWERS_WITHIN_MS = 5_000;

export function otherProcesses(options: OtherProcessesOptions): OtherProcesses {
  const { source, schema, session, named } = options;
  const listens = options.listen && (typeof source === "string" || source.options.max !== 1);
  const isCaching = listens && options.keyCache;
  const listener = createListener(schema, listens ? () => openClient(source) : null, { heard, up, down });
  const signals = workSignals(session, listener.channel, listener.id);
  const connection = tellingOfWork(options.connection, signals.tell);
  const cache = createKeyCache();
  const lease = keyLease(cache, listener, named, sayForgotten);
  const changes = keyChanges(connection, listener, cache);
  const answer = prepared("SELECT pg_notify($1, $2)");

  function heard([word, id = "", ...rest]: readonly string[]): void {
    if (word === "work" && id !== listener.id) signals.heard();
    if (word === "forgotten") changes.forgotten(id, rest[0] ?? "");
    if (word === "changing") {
      const [businessId = "", keyId = ""] = rest;
      cache.forget({ businessId, id: keyId });
      sayForgotten(id);
    }
  }

  /** Should nobody hear it they wait for as long as a lease. */
  function sayForgotten(change: string): void {
    listener.run(answer, [listener.channel, `forgotten ${change} ${listener.id}`]).catch(ignore);
  }

  function up(): void {
    signals.heard();
  }

  function down(): void {
    cache.lapse();
  }

  const use = () => {
    void listener.start();
    lease.use();
  };

  const onWork = (call: () => void) => {
    void listener.start();
    return signals.onWork(call);
  };

  return {
    connection,
    keys: { cache, changes, use: isCaching ? use : ignore },
    onWork: listens ? onWork : undefined,
    close: async () => {
      await lease.close();
      await signals.drain();
      await listener.close();
    },
  };
}

async function openClient(source: string | pg.Pool): Promise<ListeningClient> {
  if (typeof source !== "string") {
    const client = await source.connect();
    client.on("error", ignore); // the pool listens to those alone that it has
    return { client, end: async () => client.release(true) }; // it listens: nobody else is to have it
  }
  const client = new pg.Client({
    connectionString: source,
    connectionTimeoutMillis: CONNECTS_WITHIN_MS,
    query_timeout: ANSWERS_WITHIN_MS,
    keepAlive: true,
    application_name: "budgetkit",
  });
  client.on("error", ignore); // whoever connects hears of it
  await client.connect();
  return { client, end: () => client.end() };
}

function ignore(): void {}
