import { isLocked, storeFailure } from "./failures.js";

/** How long a lock of another connection is waited for, all in all. */
const PATIENCE_MS = 5_000;

const PAUSE_MS = 20;

/**
 * Runs `work` until no other connection has the lock that it needs. Between the attempts other requests are served;
 * SQLite's own wait, the busy timeout, would keep the whole process waiting.
 * Rejects with StoreUnavailable after 5 s. `work` must have undone what it did when it throws.
 */
export async function whenUnlocked<T>(work: () => T): Promise<T> {
  const isGivenUp = patience();
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isLocked(error) || isGivenUp()) throw storeFailure(error);
    }
    await new Promise<void>((resolve) => {
      setTimeout(resolve, PAUSE_MS);
    });
  }
}

/** The same for the start, before anybody is served: nothing else runs meanwhile. */
export function insist<T>(work: () => T): T {
  const isGivenUp = patience();
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isLocked(error) || isGivenUp()) throw storeFailure(error);
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

function patience(): () => boolean {
  const startedAt = performance.now();
  return () => performance.now() - startedAt >= PATIENCE_MS;
}
