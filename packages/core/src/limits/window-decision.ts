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
 * unit. The states include it. Of several full windows the one that frees last refuses.
 *
 * A full window frees when it has room for one unit. A limit that was lowered may leave more units than the limit: then
 * several must leave. Any other window frees when its oldest unit leaves.
 */
export function decideAdmission(windows: readonly Window[], counts: WindowCounts, at: Instant): Admission {
  const states = new Array<WindowState>(windows.length); // without growth
  let index = 0;
  let refusedBy: number | null = null;
  let freesLast = Number.NEGATIVE_INFINITY;
  for (const { limit, lengthMs } of windows) {
    const used = counts.usedOf(index);
    const leaves = used === 0 ? at : counts.admittedAt(index, Math.max(0, used - limit));
    const freesAt = leaves + lengthMs;
    if (used >= limit && freesAt > freesLast) {
      refusedBy = index;
      freesLast = freesAt;
    }
    states[index] = { used: used + 1, freesAt };
    index += 1;
  }
  if (refusedBy === null) return { admitted: true, refusedBy, windows: states };
  return { admitted: false, refusedBy, windows: states.map((state) => withoutUnit(state, at)) };
}

/** A refusal charges no window. */
function withoutUnit({ used, freesAt }: WindowState, at: Instant): WindowState {
  return { used: used - 1, freesAt: used === 1 ? at : freesAt };
}

/** The length of the longest window; 0 = no windows. */
export function longestOf(windows: readonly Window[]): number {
  let longest = 0;
  for (const { lengthMs } of windows) longest = Math.max(longest, lengthMs);
  return longest;
}
