import { prepared, type Session } from "../engine/session.js";

/** Notifies the dispatchers of other processes of work, and the own dispatcher of theirs. */
export interface WorkSignals {
  /** This process has committed work: sends a notification, after at most {@link INTERVAL_MS}. */
  notify(): void;
  /** Another process may have committed work: calls the listeners. */
  call(): void;
  onWork(listener: () => void): () => void;
  /** Resolves when pending notifications were sent. */
  drain(): Promise<void>;
}

/** The shortest time between two notifications: a commit that notifies blocks all others in the database that do. */
const INTERVAL_MS = 50;

/**
 * A notification is a statement of its own after the commit, one for all commits since the last. When it is lost, the
 * other processes find the work when they next poll.
 */
export function workSignals(session: Session, channel: string, payload: string): WorkSignals {
  const statement = prepared("SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)");
  const listeners = new Set<() => void>();
  let sending: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isPending = false;

  function send(): void {
    isPending = false;
    sending = session.run(statement, [channel, payload]).catch(ignore);
    timer = setTimeout(() => {
      timer = undefined;
      if (isPending) send();
    }, INTERVAL_MS);
    timer.unref();
  }

  return {
    notify: () => {
      if (timer === undefined) send();
      else isPending = true;
    },
    call: () => {
      for (const listener of listeners) listener();
    },
    onWork: (listener) => {
      const own = () => listener(); // one function may subscribe twice
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    drain: async () => {
      clearTimeout(timer);
      if (isPending) send();
      clearTimeout(timer);
      await sending;
    },
  };
}

function ignore(): void {}
