import { randomUUID } from "node:crypto";
import pg from "pg";
import { KEEPS_ALIVE } from "../engine/own-pool.js";
import { ownSockets } from "../engine/own-sockets.js";
import type { Session } from "../engine/session.js";
import { channelOf, createListener, type ListeningClient } from "./listener.js";
import { workSignals } from "./work-signals.js";

/** How a store and the other processes on its schema notify each other of work. */
export interface OtherProcesses {
  /** Notifies the others of work that this process has committed. */
  noteWork(): void;
  /** Undefined = the store does not listen. */
  readonly onWork: ((listener: () => void) => () => void) | undefined;
  /** Sends what is pending and stops listening. */
  close(): Promise<void>;
}

export interface OtherProcessesOptions {
  readonly source: string | pg.Pool;
  readonly schema: string;
  readonly session: Session;
  readonly listen: boolean;
  /** False behind a pooler in transaction mode: the store does not listen. */
  keepsSessions(): Promise<boolean>;
  /** Called whenever the store listens, for the first time or again: the server may be another one. */
  onListening(): void;
}

const CONNECTS_WITHIN_MS = 5_000;
const ANSWERS_WITHIN_MS = 5_000;

export function otherProcesses(options: OtherProcessesOptions): OtherProcesses {
  const { source, schema, session, listen, keepsSessions, onListening } = options;
  const own = `work ${randomUUID()}`;
  const signals = workSignals(session, channelOf(schema), own);
  const hasConnectionToSpare = typeof source === "string" || source.options.max !== 1;
  if (!(listen && hasConnectionToSpare)) return { noteWork: signals.notify, onWork: undefined, close: signals.drain };

  const listener = createListener({
    schema,
    open: () => openClient(source),
    onNotification: (payload) => {
      if (payload.startsWith("work ") && payload !== own) signals.call();
    },
    onListening: () => {
      onListening();
      signals.call();
    },
  });
  async function start(): Promise<void> {
    // When the look-up fails, the listener connects once the server is back.
    if (await keepsSessions().catch(() => true)) await listener.start();
  }
  return {
    noteWork: signals.notify,
    onWork: (call) => {
      void start();
      return signals.onWork(call);
    },
    close: async () => {
      await signals.drain();
      await listener.close();
    },
  };
}

async function openClient(source: string | pg.Pool): Promise<ListeningClient> {
  if (typeof source !== "string") {
    const client = await source.connect();
    client.on("error", ignore); // the pool handles errors of idle clients only
    return { client, end: async () => client.release(true) }; // a client that has listened is not used again
  }
  const { stream, endInTime } = ownSockets();
  const client = new pg.Client({
    connectionString: source,
    connectionTimeoutMillis: CONNECTS_WITHIN_MS,
    query_timeout: ANSWERS_WITHIN_MS,
    stream,
    ...KEEPS_ALIVE, // nothing else notices that its packets are lost
    application_name: "budgetkit",
  });
  client.on("error", ignore); // connect() rejects with it
  await client.connect();
  return { client, end: () => endInTime(() => client.end()) };
}

function ignore(): void {}
