import { randomUUID } from "node:crypto";
import { StoreUnavailable } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { idToFind } from "./ids.js";
import { type KeyCache, type KeyName, LEASE_MS } from "./key-cache.js";
import type { Listener } from "./listener.js";
import { asInteger, asList, asText } from "./rows.js";

/** Changes of keys that other processes may remember. */
export interface KeyChanges {
  /**
   * Makes a change once no process uses the key as it was. `change` is called with the name of the change, which the
   * function that writes has to take back in the same transaction; `"unfenced"` = it was gone.
   */
  make<T>(key: KeyName, change: (id: string) => Promise<T | "unfenced">): Promise<T>;
  /** A process says that it has forgotten the key. */
  forgotten(change: string, cache: string): void;
}

/** Longer than a lease by what clocks that run apart may differ in that time, and more. */
const WAIT_MS = LEASE_MS + 500;

const ATTEMPTS = 3;

/**
 * A key that was looked up is used without another read, and yet nobody uses it as it was before a change has committed:
 *
 * 1. A change is written down and committed first. From then on whoever reads the key reads with it, in one statement,
 *    that it is being changed, and does not keep it.
 * 2. Whoever has kept the key forgets it, together with what it is reading, and says so. Whoever says nothing has
 *    forgotten it when a lease is over: leases are given by a statement that reads which keys are being changed, count from
 *    before it was sent, and all that is kept is forgotten when two of them do not touch. So either one was given while
 *    the change was written down, or there was a moment since without any.
 * 3. Who keeps keys is read after 1 has committed: whoever comes later reads the change with the key.
 * 4. The change itself takes what was written in 1 back, in one transaction, and fails without it.
 *
 * Messages only save time. The clocks of machines are not compared, but have to run: a machine that is stopped for longer
 * than a lease, and whose clocks do not notice, uses what it has kept until they have gone on for the rest of it.
 */
export function keyChanges(connection: Connection, listener: Listener, cache: KeyCache): KeyChanges {
  const others = connection.value("SELECT @key_caches_beside($1)");
  const awaited = new Map<string, Set<string>>(); // who has forgotten, by change
  const progress = new Map<string, () => void>();

  async function untilForgotten(change: string): Promise<void> {
    const deadline = performance.now() + WAIT_MS;
    const caches = asList(await others(listener.id)).map(asCache);
    const silent = () => caches.filter(({ id }) => !awaited.get(change)?.has(id));
    while (silent().length > 0 && performance.now() < deadline) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, deadline - performance.now());
        progress.set(change, () => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    const dropped = silent().map(({ id, renewal }) => [id, renewal]);
    if (dropped.length > 0) await connection.call("drop_key_caches", JSON.stringify(dropped));
  }

  async function begin(key: KeyName): Promise<string> {
    const id = randomUUID();
    const row = { id, business_id: idToFind(key.businessId), key_id: idToFind(key.id) };
    await listener.start();
    awaited.set(id, new Set());
    try {
      await connection.commit("begin_key_change", null, { ...row, channel: listener.channel });
      cache.forget(key);
      await untilForgotten(id);
    } finally {
      awaited.delete(id);
      progress.delete(id);
    }
    return id;
  }

  return {
    make: async (key, change) => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const outcome = await change(await begin(key));
        if (outcome !== "unfenced") return outcome;
      }
      throw new StoreUnavailable("a change of a key takes too long");
    },

    forgotten: (change, by) => {
      awaited.get(change)?.add(by);
      progress.get(change)?.();
    },
  };
}

function asCache(row: unknown): { readonly id: string; readonly renewal: number } {
  const [id, renewal] = asList(row);
  return { id: asText(id), renewal: asInteger(renewal) };
}
