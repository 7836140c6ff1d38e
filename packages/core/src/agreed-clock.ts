import { type Clock, SECOND_MS } from "./kernel/clock.js";
import type { Store } from "./store.js";

/** A clock that follows the one of the store, where that has one. */
export interface AgreedClock {
  readonly clock: Clock;
  /** Compares both clocks. */
  agree(): Promise<void>;
  /** What is wrong with the clock of this process; null = nothing. */
  findFault(): Promise<string | null>;
}

const MAY_DIFFER_MS = 5 * SECOND_MS;

/**
 * Processes on several machines agree on the clock of their store. A small difference is left alone; a process whose clock
 * is further off goes by the store's, so that it expires nothing early and signs webhooks with times that receivers take.
 */
export function agreedClock(own: Clock, store: Pick<Store, "readClock">): AgreedClock {
  let lead = 0; // of the store's clock

  async function agree(): Promise<void> {
    if (store.readClock === undefined) return;
    const before = own.now();
    const shown = await store.readClock();
    const off = shown < before ? shown - before : Math.max(0, shown - own.now());
    lead = Math.abs(off) > MAY_DIFFER_MS ? off : 0;
  }

  return {
    clock: { now: () => own.now() + lead, monotonicMs: () => own.monotonicMs() },
    agree,
    findFault: async () => {
      await agree();
      if (lead === 0) return null;
      const seconds = Math.round(Math.abs(lead) / SECOND_MS);
      return `the clock of this process is ${seconds} s ${lead < 0 ? "ahead of" : "behind"} the database's: synchronise it by NTP`;
    },
  };
}
