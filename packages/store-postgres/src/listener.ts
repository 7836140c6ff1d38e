import { createHash, randomUUID } from "node:crypto";
import type { ClientBase } from "pg";
import type { Row } from "./rows.js";
import { shareSchema } from "./schema-use.js";
import { type SqlValue, type Statement, sessionOn } from "./session.js";

/** Hears what other processes say about the schema, on a connection of its own. */
export interface Listener {
  /** By which others know this one. */
  readonly id: string;
  /** Under which everybody speaks about the schema: `pg_notify(channel, words)`. */
  readonly channel: string;
  /** Begins to listen, once, and resolves when that has succeeded or failed for the first time. */
  start(): Promise<void>;
  /** Runs a statement on the listening connection. Rejects when there is none, which is also what a failure leads to. */
  run(statement: Statement, values: readonly SqlValue[]): Promise<readonly Row[]>;
  /** Listens no more; resolves when the connection is gone. */
  close(): Promise<void>;
}

/** What is told of what happens to a listener. */
export interface Hearing {
  /** The words of one message, which may be the listener's own. */
  heard(words: readonly string[]): void;
  /** It listens, for the first time or again: what was said before then was missed. */
  up(): void;
  /** It hears nothing any more. */
  down(): void;
}

/** A connection, and what ends it. */
export interface ListeningClient {
  readonly client: ClientBase;
  end(): Promise<void>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * A connection that is lost is opened again, after pauses that grow as long as that fails. Without a way to open one it
 * only has a name.
 */
export function createListener(
  schema: string,
  open: (() => Promise<ListeningClient>) | null,
  hearing: Hearing,
): Listener {
  const channel = channelOf(schema);
  let current: { readonly opened: ListeningClient; readonly lose: () => void } | null = null;
  let started: Promise<void> | null = null;
  let isClosed = false;
  let pauseMs = FIRST_PAUSE_MS;
  let turn: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function tryAgain(open: () => Promise<ListeningClient>): void {
    if (isClosed) return;
    timer = setTimeout(() => void connect(open), pauseMs);
    timer.unref();
    pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
  }

  async function connect(open: () => Promise<ListeningClient>): Promise<void> {
    let opened: ListeningClient | null = null;
    let isLost = false;
    const lose = (): void => {
      if (isLost) return;
      isLost = true;
      opened?.end().catch(ignore);
      if (current?.lose === lose) {
        current = null;
        hearing.down();
      }
      tryAgain(open);
    };
    try {
      opened = await open();
      const { client } = opened;
      client.on("error", lose);
      client.on("end", lose);
      client.on("notification", ({ payload = "" }) => hearing.heard(payload.split(" ")));
      letGoOfProcess(client);
      await shareSchema(client, schema);
      await client.query(`LISTEN ${channel}`);
      if (isLost) return;
      if (isClosed) return await opened.end();
      current = { opened, lose };
      pauseMs = FIRST_PAUSE_MS;
      hearing.up();
    } catch {
      lose();
    }
  }

  async function run(statement: Statement, values: readonly SqlValue[]): Promise<readonly Row[]> {
    if (current === null) throw new Error("nobody listens");
    const { opened, lose } = current;
    try {
      return await sessionOn(opened.client).run(statement, values);
    } catch (error) {
      lose();
      throw error;
    }
  }

  return {
    id: randomUUID(),
    channel,
    start: () => {
      if (!isClosed && open !== null) started ??= connect(open);
      return started ?? Promise.resolve();
    },
    run: (statement, values) => {
      const result = turn.then(() => run(statement, values)); // a connection takes one after the other
      turn = result.catch(ignore);
      return result;
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      const ending = current?.opened;
      current = null;
      await ending?.end();
    },
  };
}

/** The name of a channel has room for 63 bytes, as that of a schema does. */
export function channelOf(schema: string): string {
  return `budgetkit_${createHash("sha256").update(schema).digest("hex").slice(0, 32)}`;
}

/** A process that has nothing else to do ends, though it listens; the types of `pg` do not have the method. */
function letGoOfProcess(client: ClientBase): void {
  const unref: unknown = Reflect.get(client, "unref");
  if (typeof unref === "function") unref.call(client);
}

function ignore(): void {}
