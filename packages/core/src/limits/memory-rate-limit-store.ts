import type { RateLimitStore } from "./rate-limit-store.js";
import { WindowLog } from "./window-log.js";

/** A limiter in this process's memory: for one process, and for hosts that need no windows across processes. */
export function createMemoryRateLimitStore(): RateLimitStore {
  const logs = new Map<string, WindowLog>();
  return {
    admit: async (subject, windows, now) => {
      let log = logs.get(subject);
      if (log === undefined) {
        log = new WindowLog();
        logs.set(subject, log);
      }
      return log.admit(windows, now);
    },
    countAdmitted: async (subject, lengthMs, now) => logs.get(subject)?.count(lengthMs, now) ?? 0,
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
