export interface SemaphoreLimits {
  readonly slots: number; // in use at once, all keys together
  readonly slotsPerKey: number; // in use at once by one key
  readonly maxWaiting: number; // waiting calls, all keys together
  readonly maxWaitingPerKey?: number; // waiting calls of one key; left out = those of all
  readonly timeoutMs: number | null; // longest wait for a slot; null = no timeout
}

/** Waits for a slot, runs `work` and frees the slot when the work has settled. */
export type RunInSlot = <T>(key: unknown, work: () => Promise<T>) => Promise<T>;

const TOO_MANY = "too many calls wait for a slot";

/**
 * A semaphore that is fair between keys. A free slot goes to the waiting key that uses the fewest slots; among equals,
 * to the key that was served longest ago. Calls of one key run in the order of their arrival. When a call comes beyond
 * `maxWaiting`, the last one of the key with the most waiting calls is refused, so no key can keep another one out of the
 * queue. Nor does one key have more than `maxWaitingPerKey` waiting. A refused call, or one that waits longer than `timeoutMs`, rejects with the error that `refusal` makes.
 */
export function createFairSemaphore(
  { slots, slotsPerKey, maxWaiting, maxWaitingPerKey = maxWaiting, timeoutMs }: SemaphoreLimits,
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
    if (waiting.countOf(key) >= maxWaitingPerKey) return Promise.reject(refusal(TOO_MANY));
    const refused = waiting.count >= maxWaiting ? waiting.takeLastOfLongest(key) : null;
    if (waiting.count >= maxWaiting) return Promise.reject(refusal(TOO_MANY));
    refused?.refuse(TOO_MANY);
    return waitFor(waiting, key, timeoutMs, refusal);
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

/** Resolves when the call starts; rejects when it is refused or has waited for `timeoutMs`. */
function waitFor(
  waiting: WaitingCalls,
  key: unknown,
  timeoutMs: number | null,
  refusal: (reason: string) => Error,
): Promise<void> {
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

interface WaitingCall {
  readonly key: unknown;
  start(): void;
  refuse(reason: string): void;
}

/** Calls in the order of their arrival. */
class CallQueue {
  #calls: WaitingCall[] = [];
  #first = 0; // the place of the first: `shift` would move all others

  get length(): number {
    return this.#calls.length - this.#first;
  }

  add(call: WaitingCall): void {
    this.#calls.push(call);
  }

  takeFirst(): WaitingCall | null {
    const call = this.#calls[this.#first] ?? null;
    if (call === null) return null;
    this.#first += 1;
    if (this.#first > this.length) {
      this.#calls = this.#calls.slice(this.#first);
      this.#first = 0;
    }
    return call;
  }

  takeLast(): WaitingCall | null {
    return this.length === 0 ? null : (this.#calls.pop() ?? null);
  }

  /** All calls wait equally long at most, so one that gives up is the first. */
  remove(call: WaitingCall): void {
    const place = this.#calls.indexOf(call, this.#first);
    if (place === this.#first) this.takeFirst();
    else if (place > 0) this.#calls.splice(place, 1);
  }
}

class WaitingCalls {
  count = 0;
  readonly #queues = new Map<unknown, CallQueue>(); // the key that was served longest ago comes first

  countOf(key: unknown): number {
    return this.#queues.get(key)?.length ?? 0;
  }

  add(call: WaitingCall): void {
    const queue = this.#queues.get(call.key) ?? new CallQueue();
    this.#queues.set(call.key, queue);
    queue.add(call);
    this.count += 1;
  }

  remove(call: WaitingCall): void {
    this.#queues.get(call.key)?.remove(call);
    if (this.countOf(call.key) === 0) this.#queues.delete(call.key);
    this.count -= 1;
  }

  /** Of the free key that uses the fewest slots; null = none. Its key is then the last in the order. */
  takeNext(isFree: (key: unknown) => boolean, usedBy: (key: unknown) => number): WaitingCall | null {
    let queue: CallQueue | null = null;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [key, calls] of this.#queues) {
      if (usedBy(key) >= fewest || !isFree(key)) continue;
      queue = calls;
      fewest = usedBy(key);
    }
    const call = queue?.takeFirst() ?? null;
    if (queue === null || call === null) return null;
    this.#queues.delete(call.key);
    if (queue.length > 0) this.#queues.set(call.key, queue);
    this.count -= 1;
    return call;
  }

  /** Of the key that has the most, unless `key` would then have as many; null = there is none. */
  takeLastOfLongest(key: unknown): WaitingCall | null {
    let longest = new CallQueue();
    for (const queue of this.#queues.values()) if (queue.length > longest.length) longest = queue;
    if (longest.length <= this.countOf(key) + 1) return null;
    this.count -= 1;
    return longest.takeLast(); // not its only one
  }
}
