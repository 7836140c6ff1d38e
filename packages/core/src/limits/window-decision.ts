import type { Instant } from "../kernel/clock.js";
import type { Admission, Window, WindowState } from "./rate-limit-store.js";

/** The admissions that each window counts, before a decision. Windows are named by their index. */
export interface WindowCounts {
  usedOf(index: number): number;
  /** The time of the nth admission that the window counts, the oldest being 0. Asked only below `usedOf`. */
  admittedAt(index: number, nth: number): Instant;
}

/**
 * Decides over all windows at `at`: the unit is admitted when every window has room. The caller records an admitted
 * unit. The states include it.
 */
export function decideAdmission(windows: readonly Window[], counts: WindowCounts, at: Instant): Admission {
  const refusedBy = findRefusal(windows, counts);
  const added = refusedBy === null ? 1 : 0;
  return {
    admitted: refusedBy === null,
    refusedBy,
    windows: windows.map((window, index) => stateOf(window, index, counts, added, at)),
  };
}

/**
 * The time at which a log decides: `now`, or the latest time it has recorded when the clock steps back, because a unit
 * that left a window must not count again. null = the clock stepped back by more than the longest window, so the log was
 * recorded by a wrong clock: forget it.
 */
export function decisionTime(now: Instant, latest: Instant, longestMs: number): Instant | null {
  if (latest <= now) return now;
  return latest - now > longestMs ? null : latest;
}

/** The length of the longest window; 0 = no windows. */
export function longestOf(windows: readonly Window[]): number {
  return windows.reduce((longest, { lengthMs }) => Math.max(longest, lengthMs), 0);
}

/** The full window that frees last; null = every window has room. */
function findRefusal(windows: readonly Window[], counts: WindowCounts): number | null {
  let refusedBy: number | null = null;
  let freesLast = Number.NEGATIVE_INFINITY;
  let index = 0;
  for (const { limit, lengthMs } of windows) {
    const used = counts.usedOf(index);
    if (used >= limit) {
      const freesAt = counts.admittedAt(index, used - limit) + lengthMs;
      if (freesAt > freesLast) {
        refusedBy = index;
        freesLast = freesAt;
      }
    }
    index += 1;
  }
  return refusedBy;
}

/**
 * A full window frees when it has room for one unit. A limit that was lowered may leave more units than the limit: then
 * several must leave. Any other window frees when its oldest unit leaves.
 */
function stateOf(
  { limit, lengthMs }: Window,
  index: number,
  counts: WindowCounts,
  added: number,
  at: Instant,
): WindowState {
  const used = counts.usedOf(index);
  if (used === 0) return { used: added, freesAt: added === 0 ? at : at + lengthMs };
  return { used: used + added, freesAt: counts.admittedAt(index, Math.max(0, used - limit)) + lengthMs };
}
