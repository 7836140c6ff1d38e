import { BudgetkitError } from "@budgetkit/client";

export interface SendProgress {
  readonly created: number;
  readonly failed: number;
  /** Milliseconds until the service takes requests again; null = it does. */
  readonly pauseMs: number | null;
}

interface Job<R> {
  readonly rows: readonly R[];
  readonly send: (row: R) => PromiseLike<unknown>;
  /** Rejects at once when the signal is aborted. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: SendProgress) => void;
}

/** What became of each row. Those in neither were not sent. */
export interface SendResult<R> {
  readonly created: ReadonlySet<R>;
  readonly failed: ReadonlyMap<R, Error>;
}

const PARALLEL = 4;
const MOST_RETRIES = 3;
const FIRST_RETRY_MS = 500;
const FIRST_PAUSE_MS = 1_000;

/**
 * Sends rows, a few at a time. Where the rate limit is used up, all of them wait as long as the service says. An attempt
 * that may have succeeded is repeated with the same key. Ends early by the signal, or once the session may not write.
 */
export async function sendRows<R>({ rows, send, sleep, signal, onProgress }: Job<R>): Promise<SendResult<R>> {
  const created = new Set<R>();
  const failed = new Map<R, Error>();
  let next = 0;
  let isRefused = false;
  let pause: Promise<void> | null = null;
  const report = (pauseMs: number | null) => onProgress({ created: created.size, failed: failed.size, pauseMs });

  const waitFor = (pauseMs: number) => {
    report(pauseMs);
    pause ??= sleep(pauseMs).finally(() => {
      pause = null;
      report(null);
    });
    return pause;
  };

  async function sendOne(row: R): Promise<void> {
    let isLost = false; // an earlier attempt may still run
    for (let retries = 0, pauses = 0; ; ) {
      if (pause !== null) await pause;
      signal.throwIfAborted();
      try {
        await send(row);
        created.add(row);
        return report(null);
      } catch (error) {
        signal.throwIfAborted();
        const failure = error instanceof Error ? error : new Error(String(error));
        if (isLimited(failure)) {
          await waitFor(failure.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** Math.min(pauses, 6));
          pauses += 1;
        } else if (retries < MOST_RETRIES && (isTransient(failure) || (isLost && isConflict(failure)))) {
          isLost = true;
          await sleep(FIRST_RETRY_MS * 2 ** retries);
          retries += 1;
        } else {
          failed.set(row, failure);
          isRefused ||= isForbidden(failure);
          return report(null);
        }
      }
    }
  }

  async function work(): Promise<void> {
    while (next < rows.length && !isRefused) {
      const row = rows[next];
      next += 1;
      if (row !== undefined) await sendOne(row);
    }
  }

  const workers = await Promise.allSettled(Array.from({ length: PARALLEL }, work));
  const broken = workers.find((each) => each.status === "rejected");
  if (broken !== undefined && !signal.aborted) throw broken.reason;
  return { created, failed };
}

/** The row may succeed later as it is: the service could not be reached, or was busy. */
export function isTransient(error: Error): boolean {
  if (!(error instanceof BudgetkitError)) return false;
  return error.code === "NETWORK_ERROR" || error.code === "TIMEOUT" || (error.status ?? 0) >= 500;
}

function isLimited(error: Error): error is BudgetkitError {
  return error instanceof BudgetkitError && error.status === 429;
}

function isConflict(error: Error): boolean {
  return error instanceof BudgetkitError && error.status === 409;
}

function isForbidden(error: Error): boolean {
  return error instanceof BudgetkitError && (error.status === 401 || error.status === 403);
}
