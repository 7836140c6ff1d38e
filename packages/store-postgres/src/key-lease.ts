import { type KeyCache, type KeyName, startElapsed } from "./key-cache.js";
import type { Listener } from "./listener.js";
import { asList, asText } from "./rows.js";
import { prepared } from "./session.js";

/** Keeps the lease of a process as long as it is used. */
export interface KeyLease {
  /** Keys are being looked up: the lease is to be had, soon. */
  use(): void;
  /** Gives the lease up, and asks for no other one. */
  close(): Promise<void>;
}

const RENEW_MS = 500;

/** A process that looks no key up for so long asks for no further lease until it does. */
const USED_WITHIN_MS = 30_000;

/**
 * The lease is asked for on the listening connection, so that whoever has one has been listening before. `forgotten` is
 * told of each change that was under way, once its key is no longer known: its message may have been missed.
 */
export function keyLease(
  cache: KeyCache,
  listener: Listener,
  named: (sql: string) => string,
  forgotten: (change: string) => void,
): KeyLease {
  const renewal = prepared(named("SELECT @renew_key_cache($1)"));
  const ending = prepared(named("SELECT @end_key_cache($1)"));
  let isClosed = false;
  let sinceUse = startElapsed();
  let turn: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function renew(): Promise<void> {
    const elapsed = startElapsed();
    try {
      const [row] = await listener.run(renewal, [listener.id]);
      const changes = asList(row?.[0]).map(asChange);
      if (!isClosed) cache.renewed(elapsed, changes);
      for (const { change } of changes) forgotten(change);
    } catch {
      // there is no lease, or it ends: keys are read
    }
    turn = null;
    if (isClosed || sinceUse() > USED_WITHIN_MS) return;
    timer = setTimeout(begin, RENEW_MS);
    timer.unref();
  }

  function begin(): void {
    timer = undefined;
    turn ??= renew();
  }

  return {
    use: () => {
      sinceUse = startElapsed();
      if (turn === null && timer === undefined && !isClosed) begin();
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      cache.lapse();
      await turn;
      await listener.run(ending, [listener.id]).catch(() => {}); // then others wait for it once
    },
  };
}

function asChange(row: unknown): KeyName & { readonly change: string } {
  const [businessId, id, change] = asList(row);
  return { businessId: asText(businessId), id: asText(id), change: asText(change) };
}
