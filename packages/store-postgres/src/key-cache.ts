import type { ApiKey, Instant } from "@budgetkit/core/store";

/** A key that is being changed. */
export interface KeyName {
  readonly businessId: string;
  readonly id: string;
}

/** Gives how many milliseconds have passed since it was made. */
export type Elapsed = () => number;

/** For how long a lease lets keys be used that were read before, since before it was asked for. */
export const LEASE_MS = 2_000;

/** Some tens of megabytes at most. */
const MAX_KEYS = 10_000;

/** Keys as they were last read, by the digest that was presented. Empty whenever the process has no lease. */
export interface KeyCache {
  /** Whether keys may be used and kept now. */
  isLeased(): boolean;
  /** Null = not known, or not to be relied on. */
  find(hash: string): ApiKey | null;
  /** To be called before a key is read; keeps what was read, unless a key was changed or the lease lost meanwhile. */
  reading(): (hash: string, key: ApiKey) => void;
  /** A key is about to be changed: it is not known any more. */
  forget(key: KeyName): void;
  /** A use was written. */
  touched(key: KeyName, usedAt: Instant): void;
  /**
   * A lease was given, and `changing` is what was being changed when it was. `elapsed` began before it was asked for.
   * Between two leases that do not touch any key may have been changed, so that none is known any more.
   */
  renewed(elapsed: Elapsed, changing: readonly KeyName[]): void;
  /** The process can no longer hear of changes. */
  lapse(): void;
}

export function createKeyCache(maxKeys = MAX_KEYS): KeyCache {
  const keys = new Map<string, ApiKey>(); // by digest, the least recently used first
  const digests = new Map<string, Set<string>>(); // by the name of the key
  let lease: Elapsed | null = null;
  let generation = 0; // grows with all that a reading under way may have come before

  const isLeased = (): boolean => lease !== null && lease() < LEASE_MS;

  function put(hash: string, key: ApiKey): void {
    keys.delete(hash);
    keys.set(hash, key);
    const name = nameOf(key);
    const known = digests.get(name) ?? new Set();
    digests.set(name, known.add(hash));
  }

  function remove(hash: string, key: ApiKey): void {
    keys.delete(hash);
    const name = nameOf(key);
    const known = digests.get(name);
    known?.delete(hash);
    if (known?.size === 0) digests.delete(name);
  }

  function clear(): void {
    keys.clear();
    digests.clear();
    generation += 1;
  }

  function forget(name: KeyName): void {
    generation += 1;
    for (const hash of digests.get(nameOf(name)) ?? []) keys.delete(hash);
    digests.delete(nameOf(name));
  }

  return {
    isLeased,

    find: (hash) => {
      const key = isLeased() ? keys.get(hash) : undefined;
      if (key === undefined) return null;
      put(hash, key);
      return key;
    },

    reading: () => {
      const begun = generation;
      return (hash, key) => {
        if (begun !== generation || !isLeased()) return;
        put(hash, key);
        const [oldest] = keys;
        if (keys.size > maxKeys && oldest !== undefined) remove(...oldest);
      };
    },

    forget,

    touched: (name, usedAt) => {
      for (const hash of digests.get(nameOf(name)) ?? []) {
        const key = keys.get(hash);
        if (key !== undefined && usedAt > (key.lastUsedAt ?? 0)) keys.set(hash, { ...key, lastUsedAt: usedAt });
      }
    },

    renewed: (elapsed, changing) => {
      if (!isLeased()) clear();
      for (const name of changing) forget(name);
      lease = elapsed;
    },

    lapse: () => {
      lease = null;
      clear();
    },
  };
}

function nameOf({ businessId, id }: KeyName): string {
  return `${businessId} ${id}`;
}

/**
 * By the clock that never turns back, or by the clock of the machine where that says more: the first stands still while
 * a machine sleeps.
 */
export function startElapsed(): Elapsed {
  const steady = performance.now();
  const wall = Date.now();
  return () => {
    const byWall = Date.now() - wall;
    return byWall < 0 ? Number.POSITIVE_INFINITY : Math.max(performance.now() - steady, byWall);
  };
}
