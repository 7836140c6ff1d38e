import { StoreUnavailable } from "@budgetkit/core/store";

/** How much may go on at once. */
export interface TurnLimits {
  readonly places: number; // of all together
  readonly placesOfOne: number; // of them for each that asks
  readonly waiting: number; // beyond which nobody is let in
  readonly patienceMs: number; // for which a place is waited for
}

/** Does the work of `who` when its turn has come. Rejects with StoreUnavailable when that does not come in time. */
export type InTurn = <T>(who: unknown, work: () => Promise<T>) => Promise<T>;

/** Gives places to those that wait one after the other, however much each of them waits for. */
export function createTurns({ places, placesOfOne, waiting: most, patienceMs }: TurnLimits): InTurn {
  const underWay = new Map<unknown, number>();
  const queues = new Map<unknown, Set<() => void>>(); // whose turn comes first stands first
  let taken = 0;
  let waiting = 0;

  function isFree(who: unknown): boolean {
    return taken < places && (underWay.get(who) ?? 0) < placesOfOne;
  }

  function take(who: unknown): void {
    taken += 1;
    underWay.set(who, (underWay.get(who) ?? 0) + 1);
  }

  function leave(who: unknown): void {
    taken -= 1;
    const left = (underWay.get(who) ?? 0) - 1;
    if (left > 0) underWay.set(who, left);
    else underWay.delete(who);
    beginNext();
  }

  function beginNext(): void {
    for (const [who, queue] of queues) {
      const [begin] = queue;
      if (begin === undefined || !isFree(who)) continue;
      remove(who, begin);
      const others = queues.get(who);
      if (others !== undefined) {
        queues.delete(who);
        queues.set(who, others); // behind everybody else
      }
      begin();
      return;
    }
  }

  function remove(who: unknown, begin: () => void): void {
    const queue = queues.get(who);
    queue?.delete(begin);
    if (queue?.size === 0) queues.delete(who);
    waiting -= 1;
  }

  function turnOf(who: unknown): Promise<void> {
    if (isFree(who)) {
      take(who);
      return Promise.resolve();
    }
    if (waiting >= most) return Promise.reject(new StoreUnavailable("too much is waited for"));
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        take(who);
        resolve();
      };
      const timer = setTimeout(() => {
        remove(who, begin);
        reject(new StoreUnavailable("what was before it took too long"));
      }, patienceMs);
      const queue = queues.get(who) ?? new Set();
      queues.set(who, queue.add(begin));
      waiting += 1;
    });
  }

  return async (who, work) => {
    await turnOf(who);
    try {
      return await work();
    } finally {
      leave(who);
    }
  };
}
