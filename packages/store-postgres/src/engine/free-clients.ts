import { StoreUnavailable } from "@budgetkit/core/store";
import type { Pool, PoolClient } from "pg";

/** A check of readiness may take this twice, and a probe waits two seconds for it. */
const FREE_WITHIN_MS = 800;
const STUCK_AFTER_MS = 5_000;
const STUCK =
  "PostgreSQL cannot serve: no connection of the pool became free, and calls have given none back for five seconds";

/** Connections for checks of readiness. */
export interface FreeClients {
  /**
   * Runs `work` on a connection of the pool. null = none was free, but calls give theirs back: the pool is busy, which is
   * no outage. Rejects with StoreUnavailable when none has been given back for seconds, and with the errors of the driver.
   */
  use<T>(work: (client: PoolClient) => Promise<T>): Promise<T | null>;
  /** Leaves no listener at the pool. */
  close(): void;
}

export function createFreeClients(pool: Pool): FreeClients {
  let givenBackMs: number | null = null; // null = never
  const onRelease = (error: unknown): void => {
    if (!error) givenBackMs = performance.now(); // with an error, the call was not served
  };
  pool.on("release", onRelease);

  return {
    use: async (work) => {
      const client = await takeInTime(pool);
      if (client !== null) return released(client, work);
      const isBusy = givenBackMs !== null && performance.now() - givenBackMs < STUCK_AFTER_MS;
      if (!isBusy) throw new StoreUnavailable(STUCK);
      return null;
    },
    close: () => void pool.off("release", onRelease),
  };
}

/** Null = none was free in time. One that is free later goes back at once. */
async function takeInTime(pool: Pool): Promise<PoolClient | null> {
  let isLate = false;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      isLate = true;
      resolve(null);
    }, FREE_WITHIN_MS);
  });
  const taken = pool.connect().then((client) => {
    if (isLate) client.release();
    return client;
  });
  try {
    return await Promise.race([taken, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Gives the client back after the work, to be closed where that has failed. */
async function released<T>(client: PoolClient, work: (client: PoolClient) => Promise<T>): Promise<T> {
  let hasFailed = true;
  client.on("error", ignore); // the work rejects too
  try {
    const result = await work(client);
    hasFailed = false;
    return result;
  } finally {
    client.off("error", ignore);
    client.release(hasFailed);
  }
}

function ignore(): void {}
