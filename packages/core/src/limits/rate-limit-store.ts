import type { Instant } from "../kernel/clock.js";
import type { NamedDatabase } from "../telemetry/observed-calls.js";

/** At most `limit` units in any half-open interval of `lengthMs`. */
export interface Window {
  readonly lengthMs: number;
  readonly limit: number;
}

/** The state of one window after a decision. */
export interface WindowState {
  readonly used: number; // units in the window that ends now
  readonly freesAt: Instant; // when the oldest unit leaves the window; now when there is none
}

export interface Admission {
  readonly admitted: boolean;
  readonly refusedBy: number | null; // index of the window that was full; null = admitted
  readonly windows: readonly WindowState[]; // in the order of the call, the admitted unit included
}

/**
 * The store's port for rate limits.
 *
 * The decision over all windows is atomic. Across all processes that share the store, a window never admits more than
 * its limit in any half-open interval of its length, and a refusal charges no window. When several windows are full,
 * `refusedBy` names the one that frees last.
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
