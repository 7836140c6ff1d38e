import { createHash } from "node:crypto";
import type { ClientBase } from "pg";
import { nameIn } from "../engine/session.js";

/** Receives the notifications of a schema on a connection of its own. A lost connection is replaced. */
export interface Listener {
  /** Connects, once. Resolves when the first attempt has succeeded or failed. */
  start(): Promise<void>;
  /** Resolves when the connection is closed. */
  close(): Promise<void>;
}

export interface ListenerOptions {
  readonly schema: string;
  readonly open: () => Promise<ListeningClient>;
  /** Called with the payload of each notification, also of those that this process has sent. */
  readonly onNotification: (payload: string) => void;
  /** Called whenever it listens, for the first time or again: notifications sent before are lost. */
  readonly onListening: () => void;
}

/** A connection, and how to close it. */
export interface ListeningClient {
  readonly client: ClientBase;
  end(): Promise<void>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Reconnects after pauses that double while connecting fails. */
export function createListener({ schema, open, onNotification, onListening }: ListenerOptions): Listener {
  let current: ListeningClient | null = null; // null = not listening
  let started: Promise<void> | null = null;
  let isClosed = false;
  let pauseMs = FIRST_PAUSE_MS;
  let timer: NodeJS.Timeout | undefined;

  function reconnectLater(): void {
    if (isClosed) return;
    timer = setTimeout(() => void connect(), pauseMs);
    timer.unref();
    pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
  }

  async function connect(): Promise<void> {
    let opened: ListeningClient | null = null;
    let isLost = false;
    const lose = (): void => {
      if (isLost) return;
      isLost = true;
      opened?.end().catch(ignore);
      if (current === opened) current = null;
      reconnectLater();
    };
    try {
      opened = await open();
      opened.client.on("error", lose);
      opened.client.on("end", lose);
      opened.client.on("notification", ({ payload = "" }) => onNotification(payload));
      await listen(opened.client, schema);
      if (isLost) return;
      if (isClosed) return await opened.end();
      current = opened;
      pauseMs = FIRST_PAUSE_MS;
      onListening();
    } catch {
      lose();
    }
  }

  return {
    start: () => {
      if (!isClosed) started ??= connect();
      return started ?? Promise.resolve();
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      const ending = current;
      current = null;
      await ending?.end();
    },
  };
}

async function listen(client: ClientBase, schema: string): Promise<void> {
  unref(client);
  await shareSchema(client, schema);
  await client.query(`LISTEN ${channelOf(schema)}`);
}

/** The channel of a schema. A hash, since both names have room for 63 bytes. */
export function channelOf(schema: string): string {
  return `budgetkit_${createHash("sha256").update(schema).digest("hex").slice(0, 32)}`;
}

/** Lets a process with nothing else to do exit. The types of `pg` lack the method. */
function unref(client: ClientBase): void {
  const method: unknown = Reflect.get(client, "unref");
  if (typeof method === "function") method.call(client);
}

/** Marks the schema as in use until the connection ends. Does not wait. */
async function shareSchema(client: ClientBase, schema: string): Promise<void> {
  await client.query("SELECT pg_try_advisory_lock_shared(hashtextextended($1, 0))", [lockOf(schema)]);
}

/**
 * Waits, up to lock_timeout, until no listening store uses the schema, and holds it alone until the connection ends.
 * Fails with lock_not_available after lock_timeout.
 */
export async function lockSchema(client: ClientBase, schema: string): Promise<void> {
  await client.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [lockOf(schema)]);
}

function lockOf(schema: string): string {
  return nameIn(schema)("@stores");
}

function ignore(): void {}
