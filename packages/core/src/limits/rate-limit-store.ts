import type { Instant } from "../kernel/clock.js";
import type { NamedDatabase } from "../telemetry/observed-calls.js";

/** At most `limit` units, at least 1, in any half-open interval of `lengthMs`. */
export interface Window {
  readonly lengthMs: number;
  readonly limit: number;
}

/** A decision. It describes the longest window and, of a refusal, the window that was full. */
export interface Admission {
  readonly used: number; // units in the longest window, the admitted one included
  readonly freesAt: Instant; // when its oldest unit leaves; above a lowered limit, when it has room for a unit
  readonly refusal: WindowRefusal | null; // null = admitted
}

export interface WindowRefusal {
  readonly window: number; // index of the full window: of several the one that frees last, of those the longest
  readonly freesAt: Instant; // when that window has room for a unit
}

/** The admission by the caller's clock, where the clock that decided is `leadMs` ahead. */
export function withoutLead(admission: Admission, leadMs: number): Admission {
  if (leadMs === 0) return admission;
  const { used, freesAt, refusal } = admission;
  return {
    used,
    freesAt: freesAt - leadMs,
    refusal: refusal === null ? null : { ...refusal, freesAt: refusal.freesAt - leadMs },
  };
}

/**
 * The store's port for rate limits.
 *
 * The decision over all windows is atomic. Across all processes that share the store, a window never admits more than
 * its limit in any half-open interval of its length, and a refusal charges no window.
 *
 * `now` comes from a time that is never set back, but calls may overtake each other. A `now` before the latest time
 * recorded for the subject counts as that time, so no unit is forgotten or counts twice. A store that decides by a clock
 * of its own, which may be set back, moves the recorded times back with it. A persistent store persists its windows too.
 */
export interface RateLimitStore extends NamedDatabase {
  /** `windows`: the longest first, the same lengths in every call for a subject; limits may change. */
  consume(subject: string, windows: readonly Window[], now: Instant): Promise<Admission>;

  /**
   * The units in the subject's longest window, of `lengthMs`, at `now`: `used` of the last decision minus the units that
   * have left since. Charges nothing and writes nothing.
   */
  countConsumed(subject: string, lengthMs: number, now: Instant): Promise<number>;

  /**
   * Removes at most `limit` subjects whose longest window is empty. Returns the number removed; always 0 where subjects
   * expire by themselves.
   */
  pruneWindows(now: Instant, limit: number): Promise<number>;
}
