import type { Instant } from "../kernel/clock.js";
import type { Admission, Window, WindowState } from "./rate-limit-store.js";

const INITIAL_CAPACITY = 4;

/**
 * The admissions of one subject: an exact sliding log.
 *
 * An admission at t counts for every moment in [t, t + length). All windows share one ring buffer of moments, and
 * each has a head of its own at the oldest admission that it still counts. A head only moves forward, so a decision
 * costs O(1) amortised; moments that have left the longest window are overwritten.
 *
 * A clock that steps back is held at the latest moment that the log was asked at: what has left a window must never
 * count again, or a stretch of time could hold more than the limit. When it steps back by more than the longest window,
 * it was wrong before: the log is forgotten, since to hold it would refuse the subject until that moment comes.
 */
export class WindowLog {
  #moments = new Float64Array(INITIAL_CAPACITY); // the capacity is a power of two, so that a mask finds a place
  #end = 0; // how many were ever admitted; the i-th of them is at place i & mask
  #heads: number[] = []; // a window each: which admission is the oldest that it counts
  #latest: Instant = Number.NEGATIVE_INFINITY;
  #idleFrom: Instant = Number.NEGATIVE_INFINITY;

  /**
   * Decides over all windows at once and charges one unit to each, or none to any.
   * `windows` holds the longest first and the same lengths at every call; limits are at least 1 and may change.
   */
  admit(windows: readonly Window[], now: Instant): Admission {
    if (now < this.#latest && this.#latest - now > longestOf(windows)) this.#forget();
    const moment = Math.max(now, this.#latest);
    this.#latest = moment;
    this.#moveHeads(windows, moment);
    const refusedBy = this.#findRefusal(windows, moment);
    if (refusedBy === null) this.#record(windows, moment);
    return {
      admitted: refusedBy === null,
      refusedBy,
      windows: windows.map((window, index) => this.#stateOf(window, index, moment)),
    };
  }

  /** How many admissions the longest window, of `lengthMs`, counts at `now`. Moves nothing. */
  count(lengthMs: number, now: Instant): number {
    if (this.#latest - now > lengthMs) return 0; // the next decision begins anew
    const moment = Math.max(now, this.#latest);
    let first = this.#heads.length === 0 ? this.#end : this.#headOf(0);
    while (first < this.#end && this.#momentOf(first) + lengthMs <= moment) first += 1;
    return this.#end - first;
  }

  /** True when no window counts anything at `now`: the log may be forgotten. */
  isIdle(now: Instant): boolean {
    return now >= this.#idleFrom;
  }

  #forget(): void {
    this.#moments = new Float64Array(INITIAL_CAPACITY);
    this.#end = 0;
    this.#heads = [];
    this.#latest = Number.NEGATIVE_INFINITY;
    this.#idleFrom = Number.NEGATIVE_INFINITY;
  }

  #moveHeads(windows: readonly Window[], moment: Instant): void {
    if (this.#heads.length === 0) this.#heads = windows.map(() => 0);
    let index = 0;
    for (const { lengthMs } of windows) {
      let head = this.#headOf(index);
      while (head < this.#end && this.#momentOf(head) + lengthMs <= moment) head += 1;
      this.#heads[index] = head;
      index += 1;
    }
  }

  /** Of the windows that are full the one that frees last; null when there is room in all. */
  #findRefusal(windows: readonly Window[], moment: Instant): number | null {
    let refusedBy: number | null = null;
    let freesLast = Number.NEGATIVE_INFINITY;
    let index = 0;
    for (const window of windows) {
      const { used, freesAt } = this.#stateOf(window, index, moment);
      if (used >= window.limit && freesAt > freesLast) {
        refusedBy = index;
        freesLast = freesAt;
      }
      index += 1;
    }
    return refusedBy;
  }

  #record(windows: readonly Window[], moment: Instant): void {
    if (this.#end - this.#headOf(0) === this.#moments.length) this.#grow();
    this.#moments[this.#end & (this.#moments.length - 1)] = moment;
    this.#end += 1;
    for (const { lengthMs } of windows) this.#idleFrom = Math.max(this.#idleFrom, moment + lengthMs);
  }

  /**
   * A full window frees when it has one place again; a limit that was lowered may leave it over-full, and then more
   * than one admission has to leave. Any other window speaks of its oldest admission.
   */
  #stateOf({ limit, lengthMs }: Window, index: number, moment: Instant): WindowState {
    const head = this.#headOf(index);
    const used = this.#end - head;
    if (used === 0) return { used, freesAt: moment };
    return { used, freesAt: this.#momentOf(head + Math.max(0, used - limit)) + lengthMs };
  }

  #grow(): void {
    const moments = new Float64Array(this.#moments.length * 2);
    for (let index = this.#headOf(0); index < this.#end; index += 1) {
      moments[index & (moments.length - 1)] = this.#momentOf(index);
    }
    this.#moments = moments;
  }

  // `Number` says what the compiler cannot know: these places are always within the array.
  #headOf(index: number): number {
    return Number(this.#heads[index]);
  }

  #momentOf(admission: number): Instant {
    return Number(this.#moments[admission & (this.#moments.length - 1)]);
  }
}

function longestOf(windows: readonly Window[]): number {
  return Math.max(...windows.map(({ lengthMs }) => lengthMs));
}
