import { setImmediate as nextTurn } from "node:timers/promises";
import type { Store } from "@budgetkit/core";

/** A store that knows whether its calls have ended. */
export interface WatchedStore {
  readonly store: Store;
  /** Waits until no call is under way and none follows in the same turn. */
  quiet(): Promise<void>;
}

export function watchedStore(store: Store): WatchedStore {
  const underWay = new Set<Promise<unknown>>();
  const watch = (answer: unknown): unknown => {
    if (!(answer instanceof Promise)) return answer;
    const ended: Promise<unknown> = answer.then(ignore, ignore).finally(() => underWay.delete(ended));
    underWay.add(ended);
    return answer;
  };
  const watched = new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      return typeof value !== "function" ? value : (...args: unknown[]) => watch(Reflect.apply(value, target, args));
    },
  });
  return {
    store: watched,
    quiet: async () => {
      do {
        await Promise.all(underWay);
        await nextTurn(); // what follows a call begins in the same turn
      } while (underWay.size > 0);
    },
  };
}

function ignore(): void {}
