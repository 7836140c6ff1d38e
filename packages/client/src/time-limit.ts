const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The time that a call has, and the caller's own wish to end it. */
export interface TimeLimit {
  readonly signal: AbortSignal; // of both
  readonly isOver: boolean;
  readonly remainingMs: number;
  /** Waits for what `work` gives, no longer than the signal allows; rejects with the signal's reason then. */
  within<T>(work: () => T | Promise<T>): Promise<T>;
  /** Ends early when the signal is aborted meanwhile. */
  sleep(delayMs: number): Promise<void>;
  /** Lets the time run out without effect: the caller's wish alone counts from then on. */
  lift(): void;
}

export function startTimeLimit(timeoutMs: number, wish: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  const until = Date.now() + timeoutMs;
  const timer = setTimeout(() => controller.abort(), Math.min(timeoutMs, LONGEST_TIMER_MS));
  const signal = wish === undefined ? controller.signal : AbortSignal.any([wish, controller.signal]);
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
