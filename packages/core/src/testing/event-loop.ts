import { setImmediate as nextTurn } from "node:timers/promises";
import { onTestFinished, vi } from "vitest";

/** Waits until the check passes, for as long as a busy machine may take. */
export function eventually(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 20_000, interval: 5 });
}

/** Lets everything run that waits for nothing but its turn of the event loop. */
export async function turns(count = 50): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

/** Timers fire in this test only when it says so. */
export function holdTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** A promise that the test resolves, at the latest when it ends: a dispatcher can then stop. */
export interface Gate {
  readonly promise: Promise<void>;
  open(): void;
}

export function createGate(): Gate {
  let open = (): void => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  onTestFinished(() => open());
  return { promise, open: () => open() };
}
