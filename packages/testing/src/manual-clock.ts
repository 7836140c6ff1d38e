import type { Clock } from "@budgetkit/core";
import type { Instant } from "@budgetkit/core/store";

/** A clock that stands still until it is told to move. */
export interface ManualClock extends Clock {
  set(at: Instant | string): void;
  advance(milliseconds: number): void;
}

const DEFAULT_START = "2026-01-15T12:00:00.000Z";

/** A clock for tests. `start` is an instant or an ISO 8601 text; text that is no date throws a RangeError. */
export function manualClock(start: Instant | string = DEFAULT_START): ManualClock {
  let now = instantOf(start);
  let elapsedMs = 0;
  const moveTo = (instant: Instant) => {
    elapsedMs += Math.max(0, instant - now);
    now = instant;
  };
  return {
    now: () => now,
    monotonicMs: () => elapsedMs,
    set: (at) => moveTo(instantOf(at)),
    advance: (milliseconds) => moveTo(now + milliseconds),
  };
}

function instantOf(at: Instant | string): Instant {
  const instant = typeof at === "number" ? at : Date.parse(at);
  if (!Number.isSafeInteger(instant)) throw new RangeError(`not a moment: ${at}`);
  return instant;
}
