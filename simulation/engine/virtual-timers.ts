/** Timers that replace those of Node, so that the scheduler decides when each runs. `bundle.mjs` injects them. */
export interface TimerHost {
  add(run: () => void, delayMs: number, everyMs: number | null): VirtualTimer;
  remove(timer: VirtualTimer): void;
  /** `isOfStore`: the group commit, the only one that calls `setImmediate` with a function. */
  atEndOfTurn(run: () => void, isOfStore: boolean): void;
  monotonicMs(): number;
}

export interface VirtualTimer {
  unref(): VirtualTimer;
  ref(): VirtualTimer;
}

let host: TimerHost | null = null;

export function useTimers(next: TimerHost): void {
  host = next;
}

function present(): TimerHost {
  if (host === null) throw new Error("a timer was set outside of a simulation");
  return host;
}

type Callback = (...args: unknown[]) => void;

export function setTimeout(run: Callback, delayMs = 0, ...args: unknown[]): VirtualTimer {
  return present().add(() => run(...args), delayMs, null);
}

export function setInterval(run: Callback, everyMs = 0, ...args: unknown[]): VirtualTimer {
  return present().add(() => run(...args), everyMs, Math.max(1, everyMs));
}

export function clearTimeout(timer: VirtualTimer | undefined): void {
  if (timer !== undefined && timer !== null) present().remove(timer);
}

export function clearInterval(timer: VirtualTimer | undefined): void {
  clearTimeout(timer);
}

export function setImmediate(run: Callback, ...args: unknown[]): void {
  present().atEndOfTurn(() => run(...args), true);
}

/** Replaces `setImmediate` of `node:timers/promises`. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    present().atEndOfTurn(() => resolve(), false);
  });
}

/** The part of `performance` that measures durations. */
export const performance = { now: () => present().monotonicMs() };
