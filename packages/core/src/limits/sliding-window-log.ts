import type { Instant } from "../kernel/clock.js";
import type { Admission, Window, WindowState } from "./rate-limit-store.js";

const INITIAL_CAPACITY = 4;

/**
 * The admissions of one subject: an exact sliding log.
 *
 * An admission at t counts at every time in [t, t + length). All windows share one ring buffer of timestamps, and each
 * window has a head at the oldest admission that it counts. Heads only move forward, so a decision costs O(1) amortised;
 * timestamps that left the longest window are overwritten. The buffer shrinks once it is three quarters empty, so a peak
 * keeps its memory no longer than its window. A time before the latest one counts as the latest one.
 */
export class SlidingWindowLog {
  #timestamps = new Float64Array(INITIAL_CAPACITY); // the capacity is a power of two, so that a mask gives the index
  #end = 0; // how many were ever admitted; the i-th of them is at index i & mask
  #heads: number[] = [0]; // for each window the number of the oldest admission that it counts
  #latest: Instant = Number.NEGATIVE_INFINITY; // the time of the last decision
  #longestMs = 0; // 0 = no decision yet

  /**
   * Decides over all windows at once: the unit is admitted, and charged to each of them, when every window has room.
   * `windows` holds the longest first and the same lengths at every call; limits are at least 1 and may change.
   *
   * Of several full windows the one that frees last refuses. A full window frees when it has room for one unit: a limit
   * that was lowered may leave more units than the limit, of which several must leave. Any other window frees when its
   * oldest unit leaves.
   *
   * One loop without calls: it is run for every request.
   */
  admit(windows: readonly Window[], now: Instant): Admission {
    const at = Math.max(now, this.#latest);
    this.#latest = at;
    if (this.#longestMs === 0) this.#begin(windows);
    const timestamps = this.#timestamps;
    const mask = timestamps.length - 1;
    const heads = this.#heads;
    const end = this.#end;
    const states = new Array<WindowState>(windows.length); // without growth
    let index = 0;
    let refusedBy: number | null = null;
    let freesLast = Number.NEGATIVE_INFINITY;
    for (const { lengthMs, limit } of windows) {
      let head = Number(heads[index]);
      while (head < end && Number(timestamps[head & mask]) + lengthMs <= at) head += 1;
      heads[index] = head;
      const used = end - head;
      const leaves = used === 0 ? at : Number(timestamps[(head + Math.max(0, used - limit)) & mask]);
      const freesAt = leaves + lengthMs;
      if (used >= limit && freesAt > freesLast) {
        refusedBy = index;
        freesLast = freesAt;
      }
      states[index] = { used: used + 1, freesAt };
      index += 1;
    }
    this.#shrink();
    if (refusedBy !== null) return { admitted: false, refusedBy, windows: withoutUnit(states, at) };
    this.record(at);
    return { admitted: true, refusedBy, windows: states };
  }

  /** Adds an admission that was decided elsewhere, no earlier than the last one. */
  record(at: Instant): void {
    if (this.#end - this.#oldest === this.#timestamps.length) this.#resize(this.#timestamps.length * 2);
    this.#timestamps[this.#end & (this.#timestamps.length - 1)] = at;
    this.#end += 1;
  }

  /** How many admissions the longest window, of `lengthMs`, counts at `now`. Changes nothing. */
  count(lengthMs: number, now: Instant): number {
    const at = Math.max(now, this.#latest);
    let first = this.#oldest;
    while (first < this.#end && this.#timestampOf(first) + lengthMs <= at) first += 1;
    return this.#end - first;
  }

  /** The times of the last `count` admissions, without those that left the longest window before the last decision. */
  lastTimes(count: number): readonly Instant[] {
    const first = Math.max(this.#oldest, this.#end - count);
    return Array.from({ length: this.#end - first }, (_, index) => this.#timestampOf(first + index));
  }

  /** The admissions for which memory is reserved. */
  get capacity(): number {
    return this.#timestamps.length;
  }

  /** True when no window counts an admission at `now`: the log may be deleted. */
  isIdle(now: Instant): boolean {
    return this.#oldest === this.#end || now >= this.#timestampOf(this.#end - 1) + this.#longestMs;
  }

  #begin(windows: readonly Window[]): void {
    this.#heads = windows.map(() => 0);
    this.#longestMs = longestOf(windows);
  }

  /** Leaves at least half of the buffer empty, so that the cost of resizing stays O(1) amortised. */
  #shrink(): void {
    const used = this.#end - this.#oldest;
    if (this.#timestamps.length === INITIAL_CAPACITY || used * 4 > this.#timestamps.length) return;
    let capacity = INITIAL_CAPACITY;
    while (capacity < used * 2) capacity *= 2;
    this.#resize(capacity);
  }

  #resize(capacity: number): void {
    const timestamps = new Float64Array(capacity);
    for (let index = this.#oldest; index < this.#end; index += 1) {
      timestamps[index & (timestamps.length - 1)] = this.#timestampOf(index);
    }
    this.#timestamps = timestamps;
  }

  /** The number of the oldest admission that the longest window counts. */
  get #oldest(): number {
    return Number(this.#heads[0]);
  }

  #timestampOf(admission: number): Instant {
    return Number(this.#timestamps[admission & (this.#timestamps.length - 1)]); // always within the buffer
  }
}

/** A refusal charges no window. */
function withoutUnit(states: readonly WindowState[], at: Instant): readonly WindowState[] {
  return states.map(({ used, freesAt }) => ({ used: used - 1, freesAt: used === 1 ? at : freesAt }));
}

/** The length of the longest window; 0 = no windows. */
export function longestOf(windows: readonly Window[]): number {
  let longest = 0;
  for (const { lengthMs } of windows) longest = Math.max(longest, lengthMs);
  return longest;
}
