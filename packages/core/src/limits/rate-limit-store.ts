import type { Instant } from "../kernel/clock.js";
import type { NamedDatabase } from "../telemetry/observed-calls.js";

/** At most `limit` units in any half-open stretch of `lengthMs`. */
export interface Window {
  readonly lengthMs: number;
  readonly limit: number;
}

/** What one window says after a decision. */
export interface WindowState {
  readonly used: number; // units admitted within the window that ends now
  readonly freesAt: Instant; // when the oldest of them leaves the window; now when there is none
}

export interface Admission {
  readonly admitted: boolean;
  readonly refusedBy: number | null; // index of the window that was full; null = admitted
  readonly windows: readonly WindowState[]; // in the order asked, the admitted unit included
}

/**
 * What the limiter needs of a store.
 *
 * One decision over all windows is atomic: of simultaneous callers, in every process that shares the store, never
 * more than a window's limit are admitted within any half-open stretch of its length, and a refusal charges no
 * window. When several windows are full, the one that frees last is named. A clock that steps back is held at the
 * latest moment already recorded for the subject, so that nothing counts twice; one that steps back by more than the
 * longest window was wrong before, and the subject begins anew at `now`. A store that persists keeps its windows as
 * well.
 */
export interface RateLimitStore extends NamedDatabase {
  /** `windows` holds the longest first, and the same lengths at every call for a subject; limits may change. */
  admit(subject: string, windows: readonly Window[], now: Instant): Promise<Admission>;

  /**
   * How many units the subject's longest window, of `lengthMs`, counts at `now`: what `used` said at the last decision,
   * but for those that have left since. Charges nothing and writes nothing.
   */
  countAdmitted(subject: string, lengthMs: number, now: Instant): Promise<number>;

  /**
   * Forgets at most `limit` subjects with nothing in their longest window any more; gives how many. Always 0 where
   * subjects vanish by themselves.
   */
  pruneWindows(now: Instant, limit: number): Promise<number>;
}
