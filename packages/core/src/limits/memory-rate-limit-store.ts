import type { RateLimitStore } from "./rate-limit-store.js";
import { SlidingWindowLog } from "./sliding-window-log.js";

/** An in-memory limiter: for one process, or for hosts whose processes need not share windows. */
export function createMemoryRateLimitStore(): RateLimitStore {
  const logs = new Map<string, SlidingWindowLog>();
  return {
    consume: async (subject, windows, now) => {
      let log = logs.get(subject);
      if (log === undefined) {
        log = new SlidingWindowLog();
        logs.set(subject, log);
      }
      return log.admit(windows, now);
    },
    countConsumed: async (subject, lengthMs, now) => logs.get(subject)?.count(lengthMs, now) ?? 0,
    pruneWindows: async (now, limit) => {
      let pruned = 0;
      for (const [subject, log] of logs) {
        if (pruned >= limit) break;
        if (!log.isIdle(now)) continue;
        logs.delete(subject);
        pruned += 1;
      }
      return pruned;
    },
  };
}
