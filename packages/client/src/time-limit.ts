const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The timeout of a call, combined with the caller's own signal. */
export interface TimeLimit {
  readonly signal: AbortSignal; // aborts at the timeout or with the caller's signal
  readonly isOver: boolean; // the timeout has passed
  readonly remainingMs: number;
  /** Resolves to the result of `work`; rejects with the signal's reason if the signal aborts first. */
  within<T>(work: () => T | Promise<T>): Promise<T>;
  /** Resolves early if the signal aborts. */
  sleep(delayMs: number): Promise<void>;
  /** Cancels the timeout; the caller's signal stays effective. */
  lift(): void;
}

export function startTimeLimit(timeoutMs: number, callerSignal: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  const until = Date.now() + timeoutMs;
  const timer = setTimeout(() => controller.abort(), Math.min(timeoutMs, LONGEST_TIMER_MS));
  const signal = callerSignal === undefined ? controller.signal : AbortSignal.any([callerSignal, controller.signal]);
  return {
    signal,
    get isOver() {
      return controller.signal.aborted;
    },
    get remainingMs() {
      return until - Date.now();
    },
    within: (work) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const end = () => reject(signal.reason);
        signal.addEventListener("abort", end);
        const settle = async () => work();
        settle()
          .then(resolve, reject)
          .finally(() => signal.removeEventListener("abort", end));
      }),
    sleep: (delayMs) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(pause);
          signal.removeEventListener("abort", end);
          resolve();
        };
        const pause = setTimeout(end, delayMs);
        signal.addEventListener("abort", end);
      }),
    lift: () => clearTimeout(timer),
  };
}
