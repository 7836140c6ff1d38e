import { isLocked, storeFailure } from "./failures.js";

const TIMEOUT_MS = 5_000;
const PAUSE_MS = 20;

/**
 * Runs `work`, and retries while another connection holds the lock it needs. Other requests are served between attempts;
 * SQLite's own wait, the busy timeout, would block the process.
 * Rejects with StoreUnavailable after 5 s. `work` must undo its changes before it throws.
 */
export async function retryWhileLocked<T>(work: () => T): Promise<T> {
  let isTimedOut: (() => boolean) | null = null;
  for (;;) {
    try {
      return work();
    } catch (error) {
      isTimedOut ??= timeout();
      if (!isLocked(error) || isTimedOut()) throw storeFailure(error);
    }
    await new Promise<void>((resolve) => {
      setTimeout(resolve, PAUSE_MS);
    });
  }
}

/** Like {@link retryWhileLocked}, but blocks the process: for the start, before it serves requests. */
export function retryAtStart<T>(work: () => T): T {
  const isTimedOut = timeout();
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isLocked(error) || isTimedOut()) throw storeFailure(error);
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

function timeout(): () => boolean {
  const startedAt = performance.now();
  return () => performance.now() - startedAt >= TIMEOUT_MS;
}
