import type { Connection } from "./connection.js";
import { field } from "./rows.js";
import { prepared, type Session } from "./session.js";

/** Tells the dispatchers of other processes that there may be something to do. */
export interface WorkSignals {
  /** This process has committed something: others are told, soon. */
  tell(): void;
  /** Another process may have: whoever asked for it is called. */
  heard(): void;
  onWork(listener: () => void): () => void;
  /** Resolves when what is to be told has been told. */
  drain(): Promise<void>;
}

/** Others are told no more often than this: a commit that notifies holds up all others that do, in the whole database. */
const APART_MS = 50;

/**
 * Others are told after the commit, by a statement of its own, of all that was committed since the last time. Should the
 * process die in between they find it by looking, as they do when it cannot be told.
 */
export function workSignals(session: Session, channel: string, id: string): WorkSignals {
  const notify = prepared("SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)");
  const listeners = new Set<() => void>();
  let telling: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isMore = false;

  function send(): void {
    isMore = false;
    telling = session.run(notify, [channel, `work ${id}`]).catch(ignore);
    timer = setTimeout(() => {
      timer = undefined;
      if (isMore) send();
    }, APART_MS);
    timer.unref();
  }

  return {
    tell: () => {
      if (timer === undefined) send();
      else isMore = true;
    },
    heard: () => {
      for (const listener of listeners) listener();
    },
    onWork: (listener) => {
      const own = () => listener(); // so that one may listen twice
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    drain: async () => {
      clearTimeout(timer);
      if (isMore) send();
      clearTimeout(timer);
      await telling;
    },
  };
}

/** The connection, with others told of what leaves work for a dispatcher. */
export function tellingOfWork(connection: Connection, tell: () => void): Connection {
  return {
    ...connection,
    commit: async (name, business, argument) => {
      const answer = await connection.commit(name, business, argument);
      if (leavesWork(name, argument)) tell();
      return answer;
    },
    call: async (name, ...values) => {
      const answer = await connection.call(name, ...values);
      if (name === "restart_undelivered") tell();
      return answer;
    },
  };
}

/** Events that wait for their fan-out, deliveries that wait for a claim, and those that are begun anew or given back uncalled. */
function leavesWork(name: string, argument: unknown): boolean {
  if (name === "restart_delivery") return true;
  if (name === "settle_deliveries")
    return field(argument, "attempt_number") === null && field(argument, "next_attempt_at") !== null;
  return listIn(argument, "events").length > 0 || listIn(argument, "deliveries").some(isUnclaimed);
}

function isUnclaimed(delivery: unknown): boolean {
  return field(delivery, "lease_id") === null;
}

function listIn(argument: unknown, name: string): readonly unknown[] {
  const list = field(argument, name);
  return Array.isArray(list) ? list : [];
}

function ignore(): void {}
