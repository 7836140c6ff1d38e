import { at } from "../kernel/arrays.js";
import type { Instant } from "../kernel/clock.js";
import type { Admission, Window, WindowRefusal } from "./rate-limit-store.js";

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
   * A full window frees when it has room for one unit: a limit that was lowered may leave more units than the limit, of
   * which several must leave. Of several full windows the one that frees last refuses.
   *
   * It runs for every request, and loops by index because a decision with an iterator takes a sixth longer.
   */
  admit(windows: readonly Window[], now: Instant): Admission {
    const latest = Math.max(now, this.#latest);
    this.#latest = latest;
    if (this.#longestMs === 0) this.#begin(windows);
    const timestamps = this.#timestamps;
    const mask = timestamps.length - 1;
    const heads = this.#heads;
    const end = this.#end;
    let leaving = end; // the admission with which the longest window frees: this one when it counts no other
    let refusal: WindowRefusal | null = null;
    for (let index = 0; index < windows.length; index += 1) {
      const { lengthMs, limit } = at(windows, index);
      let head = Number(heads[index]);
      while (head < end && Number(timestamps[head & mask]) + lengthMs <= latest) head += 1;
      heads[index] = head;
      if (index === 0) leaving = Math.max(head, end - limit);
      if (end - head < limit) continue;
      const freesAt = Number(timestamps[(end - limit) & mask]) + lengthMs;
      if (refusal === null || freesAt > refusal.freesAt) refusal = { window: index, freesAt };
    }
    this.#shrink();
    if (refusal === null) this.record(latest);
    return { used: this.#end - this.#oldest, freesAt: this.#timestampOf(leaving) + this.#longestMs, refusal };
  }

  /** Adds an admission that was decided elsewhere, no earlier than the last one. */
  record(time: Instant): void {
    if (this.#end - this.#oldest === this.#timestamps.length) this.#resize(this.#timestamps.length * 2);
    this.#timestamps[this.#end & (this.#timestamps.length - 1)] = time;
    this.#end += 1;
  }

  /** How many admissions the longest window, of `lengthMs`, counts at `now`. Changes nothing. */
  count(lengthMs: number, now: Instant): number {
    const latest = Math.max(now, this.#latest);
    let first = this.#oldest;
    while (first < this.#end && this.#timestampOf(first) + lengthMs <= latest) first += 1;
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

/** The length of the longest window; 0 = no windows. */
export function longestOf(windows: readonly Window[]): number {
  let longest = 0;
  for (const { lengthMs } of windows) longest = Math.max(longest, lengthMs);
  return longest;
}
