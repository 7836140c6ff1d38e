import type { Store } from "./store.js";

/** What a service does when its store may have lost commits. */
export interface LostCommits {
  /** Listens to the store again. Does nothing while it listens. */
  start(): void;
  /** Leaves no listener at the store, which may outlive the service. */
  stop(): void;
}

/** Calls `forget` when the store may have lost commits: from now on, because a service serves without being started. */
export function createLostCommits(store: Pick<Store, "onLostCommits">, forget: () => void): LostCommits {
  let remove = store.onLostCommits?.(forget) ?? null; // null = it does not listen
  return {
    start: () => {
      if (remove !== null) return;
      remove = store.onLostCommits?.(forget) ?? null;
      forget(); // commits may have been lost meanwhile
    },
    stop: () => {
      remove?.();
      remove = null;
    },
  };
}
