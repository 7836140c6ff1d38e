import type { Clock, Instant } from "../kernel/clock.js";
import { type RateLimitStore, withoutLead } from "./rate-limit-store.js";

/**
 * The limiter by a time that no one sets: the clock's at the first call, and from then on the time that has passed. When
 * the clock is set, no window changes. The caller gives and gets times of the clock.
 */
export function steadyRateLimits(
  store: Pick<RateLimitStore, "consume" | "countConsumed" | "pruneWindows">,
  clock: Clock,
): RateLimitStore {
  let start: { readonly now: Instant; readonly monotonicMs: number } | null = null;

  function steadyNow(): Instant {
    start ??= { now: clock.now(), monotonicMs: clock.monotonicMs() };
    return start.now + Math.floor(clock.monotonicMs() - start.monotonicMs);
  }

  return {
    consume: async (subject, windows, now) => {
      const steady = steadyNow();
      return withoutLead(await store.consume(subject, windows, steady), steady - now);
    },
    countConsumed: (subject, lengthMs) => store.countConsumed(subject, lengthMs, steadyNow()),
    pruneWindows: (_now, limit) => store.pruneWindows(steadyNow(), limit),
  };
}
