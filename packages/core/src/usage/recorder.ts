import { type Instant, MINUTE_MS } from "../kernel/clock.js";
import { rollUp } from "./roll-up.js";
import { addCounts, type MinuteUsage, NO_USAGE, type RouteLabel, type UsageCounts } from "./usage.js";
import type { UsageStore } from "./usage-store.js";

/** A request of an authenticated key, with its response. */
export interface AnsweredRequest {
  readonly businessId: string;
  readonly keyId: string;
  readonly route: RouteLabel;
  readonly at: Instant;
  readonly status: number;
  readonly isRefusal: boolean; // by the key's own rate limit
  readonly durationMs: number;
}

/**
 * Counts requests in memory and writes the counts to the store from time to time, so that a request costs no write. A
 * crash loses the counts since the last flush.
 */
export interface UsageRecorder {
  /** Never throws. The first count after a flush starts the timer of the next one; the timer is unreferenced. */
  record(request: AnsweredRequest): void;
  /**
   * Writes the counts recorded before the call. Never rejects: it keeps unwritten counts for the next flush and returns
   * a copy of them.
   */
  flush(): Promise<readonly MinuteUsage[]>;
}

export interface RecorderOptions {
  readonly store: Pick<UsageStore, "addUsage">;
  readonly flushIntervalMs: number;
  readonly onError: (error: unknown) => void;
}

/** Entries in memory, one per key, route and minute: the size that starts an early flush, and the largest size. */
const EARLY_FLUSH = 2_000;
const MAX_ENTRIES = 20_000;

/** Entries per transaction. A transaction blocks other writers. */
const BATCH = 250;

/** Throws a RangeError unless the interval is positive. */
export function createUsageRecorder({ store, flushIntervalMs, onError }: RecorderOptions): UsageRecorder {
  if (!(flushIntervalMs > 0)) throw new RangeError("usage.flushIntervalMs must be greater than 0");
  const counts = new MinuteCounts();
  let timer: NodeJS.Timeout | null = null;
  let flushing: Promise<readonly MinuteUsage[]> = Promise.resolve([]);
  let isQueued = false; // a flush is queued and has not begun
  let isFailing = false; // the last flush failed
  let lost = 0; // requests that were not counted, because the memory was full

  function startTimer(): void {
    timer ??= setTimeout(() => void flush(), flushIntervalMs);
    timer.unref?.(); // not on platforms where timers are numbers
  }

  function flush(): Promise<readonly MinuteUsage[]> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    isQueued = true;
    flushing = flushing.then(flushOnce);
    return flushing;
  }

  async function flushOnce(): Promise<readonly MinuteUsage[]> {
    isQueued = false;
    const taken = counts.takeAll();
    reportLost();
    for (let done = 0; done < taken.length; done += BATCH) {
      try {
        await store.addUsage(rollUp(taken.slice(done, done + BATCH)));
      } catch (error) {
        const unwritten = taken.slice(done);
        for (const usage of unwritten) counts.add(usage);
        startTimer();
        isFailing = true;
        onError(error);
        return unwritten;
      }
    }
    isFailing = false;
    return [];
  }

  function reportLost(): void {
    if (lost === 0) return;
    onError(new Error(`usage of ${lost} requests is lost: the store took none for too long`));
    lost = 0;
  }

  return {
    record: (request) => {
      if (!counts.add(usageOf(request), MAX_ENTRIES)) lost += 1;
      else if (counts.size >= EARLY_FLUSH && !isQueued && !isFailing) void flush();
      else startTimer();
    },
    flush,
  };
}

/** Counts of one request or more, summed by key, route and minute. */
class MinuteCounts {
  #entries = new Map<string, MinuteUsage>();

  get size(): number {
    return this.#entries.size;
  }

  /** False when `usage` needs a new entry and `maxEntries` exist: it is not added. */
  add(usage: MinuteUsage, maxEntries = Number.POSITIVE_INFINITY): boolean {
    const { businessId, keyId, minute, route, counts } = usage;
    const name = `${businessId} ${keyId} ${minute} ${route.method} ${route.path}`;
    const present = this.#entries.get(name);
    if (present === undefined && this.size >= maxEntries) return false;
    this.#entries.set(name, { ...usage, counts: addCounts(present?.counts ?? NO_USAGE, counts) });
    return true;
  }

  takeAll(): readonly MinuteUsage[] {
    const taken = [...this.#entries.values()];
    this.#entries = new Map();
    return taken;
  }
}

function usageOf({ businessId, keyId, route, at, status, isRefusal, durationMs }: AnsweredRequest): MinuteUsage {
  const counts: UsageCounts = {
    requests: 1,
    errors: status >= 400 ? 1 : 0,
    refusals: isRefusal ? 1 : 0,
    durationUs: Math.max(0, Math.round(durationMs * 1_000)),
  };
  return { businessId, keyId, minute: at - (at % MINUTE_MS), route, counts };
}
