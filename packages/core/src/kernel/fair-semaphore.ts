export interface SemaphoreLimits {
  readonly slots: number; // in use at once, all keys together
  readonly slotsPerKey: number; // in use at once by one key
  readonly maxWaiting: number; // waiting calls, all keys together
  readonly timeoutMs: number | null; // longest wait for a slot; null = no timeout
}

/** Waits for a slot, runs `work` and frees the slot when the work has settled. */
export type RunInSlot = <T>(key: unknown, work: () => Promise<T>) => Promise<T>;

const TOO_MANY = "too many calls wait for a slot";

/**
 * A semaphore that is fair between keys. A free slot goes to the waiting key that uses the fewest slots; among equals,
 * to the key that was served longest ago. Calls of one key run in the order of their arrival. When a call comes beyond
 * `maxWaiting`, the last one of the key with the most waiting calls is refused, so no key can keep another one out of the
 * queue. A refused call, or one that waits longer than `timeoutMs`, rejects with the error that `refusal` makes.
 */
export function createFairSemaphore(
  { slots, slotsPerKey, maxWaiting, timeoutMs }: SemaphoreLimits,
  refusal: (reason: string) => Error,
): RunInSlot {
  const usedByKey = new Map<unknown, number>();
  const waiting = new WaitingCalls();
  let used = 0;

  function usedBy(key: unknown): number {
    return usedByKey.get(key) ?? 0;
  }

  function isFree(key: unknown): boolean {
    return used < slots && usedBy(key) < slotsPerKey;
  }

  function take(key: unknown): void {
    used += 1;
    usedByKey.set(key, usedBy(key) + 1);
  }

  function release(key: unknown): void {
    used -= 1;
    if (usedBy(key) > 1) usedByKey.set(key, usedBy(key) - 1);
    else usedByKey.delete(key);
    const next = waiting.takeNext(isFree, usedBy);
    if (next === null) return;
    take(next.key);
    next.start();
  }

  function enqueue(key: unknown): Promise<void> {
    const refused = waiting.count >= maxWaiting ? waiting.takeLastOfLongest(key) : null;
    if (waiting.count >= maxWaiting) return Promise.reject(refusal(TOO_MANY));
    refused?.refuse(TOO_MANY);
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        settle();
      };
      const refuse = (reason: string): void => end(() => reject(refusal(reason)));
      const call = { key, start: () => end(resolve), refuse };
      const giveUp = (): void => {
        waiting.remove(call);
        refuse("no slot became free in time");
      };
      const timer = timeoutMs === null ? undefined : setTimeout(giveUp, timeoutMs);
      waiting.add(call);
    });
  }

  return async (key, work) => {
    if (isFree(key)) take(key);
    else await enqueue(key);
    try {
      return await work();
    } finally {
      release(key);
    }
  };
}

interface WaitingCall {
  readonly key: unknown;
  start(): void;
  refuse(reason: string): void;
}

class WaitingCalls {
  count = 0;
  readonly #queues = new Map<unknown, readonly WaitingCall[]>(); // the key that was served longest ago comes first

  add(call: WaitingCall): void {
    this.#queues.set(call.key, [...(this.#queues.get(call.key) ?? []), call]);
    this.count += 1;
  }

  remove(call: WaitingCall): void {
    const rest = this.#queues.get(call.key)?.filter((other) => other !== call) ?? [];
    if (rest.length > 0) this.#queues.set(call.key, rest);
    else this.#queues.delete(call.key);
    this.count -= 1;
  }

  /** Of the free key that uses the fewest slots; null = none. Its key is then the last in the order. */
  takeNext(isFree: (key: unknown) => boolean, usedBy: (key: unknown) => number): WaitingCall | null {
    const [next] = [...this.#queues].filter(([key]) => isFree(key)).sort(([a], [b]) => usedBy(a) - usedBy(b));
    const [key, [call, ...rest]] = next ?? [null, []];
    if (call === undefined) return null;
    this.#queues.delete(key);
    if (rest.length > 0) this.#queues.set(key, rest);
    this.count -= 1;
    return call;
  }

  /** Of the key that has the most, unless `key` would then have as many; null = there is none. */
  takeLastOfLongest(key: unknown): WaitingCall | null {
    const [longest = []] = [...this.#queues.values()].sort((a, b) => b.length - a.length);
    const last = longest.at(-1);
    if (last === undefined || longest.length <= (this.#queues.get(key)?.length ?? 0) + 1) return null;
    this.remove(last);
    return last;
  }
}
