import type { Instant } from "../kernel/clock.js";
import type { Admission, Window } from "./rate-limit-store.js";
import { decideAdmission, longestOf, type WindowCounts } from "./window-decision.js";

const INITIAL_CAPACITY = 4;

/**
 * The admissions of one subject: an exact sliding log.
 *
 * An admission at t counts at every time in [t, t + length). All windows share one ring buffer of timestamps, and each
 * window has a head at the oldest admission that it counts. Heads only move forward, so a decision costs O(1) amortised;
 * timestamps that left the longest window are overwritten. The buffer shrinks once it is three quarters empty, so a peak
 * keeps its memory no longer than its window. A time before the latest one counts as the latest one.
 */
export class SlidingWindowLog implements WindowCounts {
  #timestamps = new Float64Array(INITIAL_CAPACITY); // the capacity is a power of two, so that a mask gives the index
  #end = 0; // how many were ever admitted; the i-th of them is at index i & mask
  #heads: number[] = []; // for each window the number of the oldest admission that it counts
  #latest: Instant = Number.NEGATIVE_INFINITY;
  #longestMs = 0;

  /**
   * Decides over all windows at once and charges one unit to each of them, or to none.
   * `windows` holds the longest first and the same lengths at every call; limits are at least 1 and may change.
   */
  admit(windows: readonly Window[], now: Instant): Admission {
    const at = Math.max(now, this.#latest);
    this.#latest = at;
    this.#moveHeads(windows, at);
    this.#shrink();
    const admission = decideAdmission(windows, this, at);
    if (admission.admitted) this.#record(at);
    return admission;
  }

  /** How many admissions the longest window, of `lengthMs`, counts at `now`. Changes nothing. */
  count(lengthMs: number, now: Instant): number {
    const at = Math.max(now, this.#latest);
    let first = this.#heads.length === 0 ? this.#end : this.#headOf(0);
    while (first < this.#end && this.#timestampOf(first) + lengthMs <= at) first += 1;
    return this.#end - first;
  }

  /** The admissions for which memory is reserved. */
  get capacity(): number {
    return this.#timestamps.length;
  }

  /** True when no window counts an admission at `now`: the log may be deleted. */
  isIdle(now: Instant): boolean {
    return (
      this.#heads.length === 0 ||
      this.#headOf(0) === this.#end ||
      now >= this.#timestampOf(this.#end - 1) + this.#longestMs
    );
  }

  usedOf(index: number): number {
    return this.#end - this.#headOf(index);
  }

  admittedAt(index: number, nth: number): Instant {
    return this.#timestampOf(this.#headOf(index) + nth);
  }

  #moveHeads(windows: readonly Window[], at: Instant): void {
    if (this.#heads.length === 0) {
      this.#heads = windows.map(() => 0);
      this.#longestMs = longestOf(windows);
    }
    const timestamps = this.#timestamps;
    const mask = timestamps.length - 1;
    let index = 0;
    for (const { lengthMs } of windows) {
      let head = this.#headOf(index);
      while (head < this.#end && Number(timestamps[head & mask]) + lengthMs <= at) head += 1;
      this.#heads[index] = head;
      index += 1;
    }
  }

  #record(at: Instant): void {
    if (this.#end - this.#headOf(0) === this.#timestamps.length) this.#resize(this.#timestamps.length * 2);
    this.#timestamps[this.#end & (this.#timestamps.length - 1)] = at;
    this.#end += 1;
  }

  /** Leaves at least half of the buffer empty, so that the cost of resizing stays O(1) amortised. */
  #shrink(): void {
    const used = this.#end - this.#headOf(0);
    if (this.#timestamps.length === INITIAL_CAPACITY || used * 4 > this.#timestamps.length) return;
    let capacity = INITIAL_CAPACITY;
    while (capacity < used * 2) capacity *= 2;
    this.#resize(capacity);
  }

  #resize(capacity: number): void {
    const timestamps = new Float64Array(capacity);
    for (let index = this.#headOf(0); index < this.#end; index += 1) {
      timestamps[index & (timestamps.length - 1)] = this.#timestampOf(index);
    }
    this.#timestamps = timestamps;
  }

  // `Number` satisfies the compiler: both indexes are always within their arrays.
  #headOf(index: number): number {
    return Number(this.#heads[index]);
  }

  #timestampOf(admission: number): Instant {
    return Number(this.#timestamps[admission & (this.#timestamps.length - 1)]);
  }
}
