export interface SemaphoreLimits {
  readonly slots: number; // in use at once, all keys together
  readonly slotsPerKey: number; // in use at once by one key
  readonly maxWaiting: number; // waiting calls, all keys together
  readonly timeoutMs: number | null; // longest wait for a slot; null = no timeout
}

/** Waits for a slot, runs `work` and frees the slot when the work has settled. */
export type RunInSlot = <T>(key: unknown, work: () => Promise<T>) => Promise<T>;

/**
 * A semaphore that is fair between keys. A free slot goes to the waiting key that uses the fewest slots; among equals,
 * to the key that was served longest ago. Calls of one key run in the order of their arrival. A call beyond `maxWaiting`
 * or `timeoutMs` rejects with the error that `refusal` makes.
 */
export function createFairSemaphore(
  { slots, slotsPerKey, maxWaiting, timeoutMs }: SemaphoreLimits,
  refusal: (reason: string) => Error,
): RunInSlot {
  const usedByKey = new Map<unknown, number>();
  const queues = new Map<unknown, Set<() => void>>(); // the key that was served longest ago comes first
  let used = 0;
  let waiting = 0;

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
    startNext();
  }

  function startNext(): void {
    const [next] = [...queues].filter(([key]) => isFree(key)).sort(([a], [b]) => usedBy(a) - usedBy(b));
    if (next === undefined) return;
    const [key, queue] = next;
    const [start] = queue;
    queues.delete(key);
    if (start === undefined) return;
    queue.delete(start);
    if (queue.size > 0) queues.set(key, queue); // now the last key in the order
    waiting -= 1;
    start();
  }

  function enqueue(key: unknown): Promise<void> {
    if (waiting >= maxWaiting) return Promise.reject(refusal("too many calls wait for a slot"));
    return new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        take(key);
        resolve();
      };
      const giveUp = (): void => {
        const queue = queues.get(key);
        queue?.delete(start);
        if (queue?.size === 0) queues.delete(key);
        waiting -= 1;
        reject(refusal("no slot became free in time"));
      };
      const timer = timeoutMs === null ? undefined : setTimeout(giveUp, timeoutMs);
      const queue = queues.get(key) ?? new Set();
      queues.set(key, queue.add(start));
      waiting += 1;
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
