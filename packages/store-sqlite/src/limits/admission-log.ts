import type { Instant, Window, WindowCounts } from "@budgetkit/core/store";

/** Before every time. */
export const NEVER: Instant = Number.MIN_SAFE_INTEGER;

const INITIAL_CAPACITY = 16;

/** The admissions of one subject that its longest window may count, in memory, in order of time. */
export class AdmissionLog {
  /** The number of the last admission: how many the subject ever had. */
  last = 0;
  /** The time of the last admission that was appended. */
  latest: Instant = NEVER;
  #times = new Float64Array(INITIAL_CAPACITY);
  #start = 0; // index of the oldest admission
  #end = 0;

  append(at: Instant): void {
    if (this.#end === this.#times.length) this.#makeRoom();
    this.#times[this.#end] = at;
    this.#end += 1;
    this.latest = at;
    this.last += 1;
  }

  /** Appends admissions whose last one has a number. Those between that are not given are out of every window. */
  extend(times: readonly Instant[], last: number): void {
    for (const at of times) this.append(at);
    this.last = last;
  }

  /** The times of the admissions after the one with a number, without dropped ones. */
  after(number: number): readonly Instant[] {
    const first = Math.max(this.#start, this.#end - (this.last - number));
    return [...this.#times.subarray(first, this.#end)];
  }

  /** Drops the admissions up to a time, which no later decision counts. */
  dropUntil(until: Instant): void {
    this.#start = this.#firstAfter(until);
  }

  /** What the windows count at a time. */
  countsAt(windows: readonly Window[], at: Instant): WindowCounts {
    const firsts = windows.map(({ lengthMs }) => this.#firstAfter(at - lengthMs));
    return {
      usedOf: (index) => this.#end - Number(firsts[index]),
      admittedAt: (index, nth) => Number(this.#times[Number(firsts[index]) + nth]),
    };
  }

  /** By bisection: the index of the first admission after a time. */
  #firstAfter(time: Instant): number {
    let [low, high] = [this.#start, this.#end];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (Number(this.#times[middle]) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Moves the admissions to a buffer that is at most half full, so that appending costs O(1) amortised. */
  #makeRoom(): void {
    const used = this.#times.subarray(this.#start, this.#end);
    this.#times = new Float64Array(Math.max(INITIAL_CAPACITY, used.length * 2));
    this.#times.set(used);
    this.#start = 0;
    this.#end = used.length;
  }
}
