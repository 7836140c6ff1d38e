import { type Instant, MINUTE_MS } from "../kernel/clock.js";
import { rollUp } from "./roll-up.js";
import type { MinuteUsage, RouteLabel, UsageCounts } from "./usage.js";
import type { UsageStore } from "./usage-store.js";

/** One request of an authenticated key, once it is answered. */
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
 * Counts requests in memory and writes the counts to the store now and then, so that a request costs no write. What is
 * not written yet is lost with the process, unless `flush` was awaited.
 */
export interface UsageRecorder {
  /** Never throws. The first count after a flush sets a timer for the next, which does not keep the process alive. */
  record(request: AnsweredRequest): void;
  /**
   * Writes what was recorded before the call. Never rejects: counts that could not be written are kept for the next
   * flush, and given back for whoever wants to know of them already.
   */
  flush(): Promise<readonly MinuteUsage[]>;
}

export interface RecorderOptions {
  readonly store: Pick<UsageStore, "addUsage">;
  readonly flushIntervalMs: number;
  readonly onError: (error: unknown) => void;
}

/** Minutes in memory (of a key and route each): from so many on they are written early, more than so many are not kept. */
const EARLY_FLUSH = 2_000;
const MAX_MINUTES = 20_000;

/** Minutes in one transaction: it holds up everything else meanwhile. */
const BATCH = 250;

/** Throws a RangeError for an interval that is no positive number. */
export function createUsageRecorder({ store, flushIntervalMs, onError }: RecorderOptions): UsageRecorder {
  if (!(flushIntervalMs > 0)) throw new RangeError("usage.flushIntervalMs must be greater than 0");
  let minutes = new Map<string, Counting>();
  let timer: NodeJS.Timeout | null = null;
  let underWay: Promise<readonly MinuteUsage[]> = Promise.resolve([]);
  let isAsked = false; // for a flush that has not begun
  let isFailing = false;
  let forgotten = 0; // requests for whose minutes there was no room

  function countingOf(request: AnsweredRequest): Counting | null {
    const { businessId, keyId, route, at } = request;
    const minute = at - (at % MINUTE_MS);
    const place = `${businessId} ${keyId} ${minute} ${route.method} ${route.path}`;
    const present = minutes.get(place);
    if (present !== undefined) return present;
    if (minutes.size >= MAX_MINUTES) return null;
    const counts = { requests: 0, errors: 0, refusals: 0, durationUs: 0 };
    const counting = { place, businessId, keyId, minute, route, counts };
    minutes.set(place, counting);
    return counting;
  }

  function setTimer(): void {
    timer = setTimeout(() => void flush(), flushIntervalMs);
    timer.unref?.(); // where timers are numbers, nothing has to be kept from waiting for them
  }

  function flush(): Promise<readonly MinuteUsage[]> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    isAsked = true;
    underWay = underWay.then(flushOnce);
    return underWay;
  }

  async function flushOnce(): Promise<readonly MinuteUsage[]> {
    const taken = [...minutes.values()];
    minutes = new Map();
    isAsked = false;
    reportForgotten();
    for (let done = 0; done < taken.length; done += BATCH) {
      try {
        await store.addUsage(rollUp(taken.slice(done, done + BATCH)));
      } catch (error) {
        const unwritten = taken.slice(done);
        takeBack(unwritten);
        isFailing = true;
        onError(error);
        return unwritten;
      }
    }
    isFailing = false;
    return [];
  }

  function takeBack(unwritten: readonly Counting[]): void {
    for (const counting of unwritten) {
      const present = minutes.get(counting.place);
      if (present === undefined) minutes.set(counting.place, { ...counting, counts: { ...counting.counts } });
      else add(present.counts, counting.counts);
    }
    if (timer === null) setTimer();
  }

  function reportForgotten(): void {
    if (forgotten === 0) return;
    onError(new Error(`usage of ${forgotten} requests is lost: the store took none for too long`));
    forgotten = 0;
  }

  return {
    record: (request) => {
      const counting = countingOf(request);
      if (counting === null) {
        forgotten += 1;
        return;
      }
      const { counts } = counting;
      counts.requests += 1;
      if (request.status >= 400) counts.errors += 1;
      if (request.isRefusal) counts.refusals += 1;
      counts.durationUs += Math.max(0, Math.round(request.durationMs * 1_000));
      if (minutes.size >= EARLY_FLUSH && !isAsked && !isFailing) void flush();
      else if (timer === null) setTimer();
    },
    flush,
  };
}

/** Counts that go on growing. */
type Growing = { -readonly [Name in keyof UsageCounts]: number };

interface Counting extends MinuteUsage {
  readonly place: string;
  readonly counts: Growing;
}

function add(counts: Growing, more: UsageCounts): void {
  counts.requests += more.requests;
  counts.errors += more.errors;
  counts.refusals += more.refusals;
  counts.durationUs += more.durationUs;
}
