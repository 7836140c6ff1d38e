import { setImmediate } from "node:timers/promises";
import { drawInteger, drawOne, rounds, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { at } from "../kernel/arrays.js";
import { HOUR_MS, type Instant, MINUTE_MS } from "../kernel/clock.js";
import type { Admission, Window } from "./rate-limit-store.js";
import { SlidingWindowLog } from "./sliding-window-log.js";

const SUBJECTS = rounds({ small: 4, full: 50 });
const REQUESTS_PER_SUBJECT = 20_000;
const REQUESTS_UNDER_CHANGING_LIMITS = rounds({ small: 5_000, full: 50_000 });

const hourAndMinute = (hour: number, minute: number): Window[] => [
  { lengthMs: HOUR_MS, limit: hour },
  { lengthMs: MINUTE_MS, limit: minute },
];

describe("SlidingWindowLog", () => {
  it("admits up to the limit of each window, and reports how much the longest holds and when it frees", () => {
    const log = new SlidingWindowLog();
    const freesAt = 1_000 + HOUR_MS;
    expect(log.admit(hourAndMinute(3, 2), 1_000)).toEqual({ used: 1, freesAt, refusal: null });
    expect(log.admit(hourAndMinute(3, 2), 2_000)).toEqual({ used: 2, freesAt, refusal: null });
    expect(log.admit(hourAndMinute(3, 2), 3_000)).toEqual({
      used: 2,
      freesAt,
      refusal: { window: 1, freesAt: 1_000 + MINUTE_MS },
    });
  });

  it("counts an admission until just before its window has passed: [t, t + length)", () => {
    const window = [{ lengthMs: MINUTE_MS, limit: 1 }];
    const log = new SlidingWindowLog();
    log.admit(window, 0);
    expect(log.admit(window, MINUTE_MS - 1).refusal).not.toBeNull();
    expect(log.admit(window, MINUTE_MS).refusal).toBeNull();
  });

  it("charges nothing for a refused request", () => {
    const log = new SlidingWindowLog();
    log.admit(hourAndMinute(2, 1), 0);
    for (let now = 1; now < 100; now += 1) log.admit(hourAndMinute(2, 1), now);
    expect(log.admit(hourAndMinute(2, 1), MINUTE_MS)).toMatchObject({ used: 2, refusal: null });
  });

  it("reports the window that frees last when several are full", () => {
    const log = new SlidingWindowLog();
    log.admit(hourAndMinute(1, 1), 0);
    expect(log.admit(hourAndMinute(1, 1), 1).refusal).toEqual({ window: 0, freesAt: HOUR_MS });
    const later = new SlidingWindowLog();
    for (const now of [0, HOUR_MS - 10]) later.admit(hourAndMinute(2, 1), now);
    const freesAt = HOUR_MS - 10 + MINUTE_MS;
    expect(later.admit(hourAndMinute(2, 1), HOUR_MS - 5).refusal).toEqual({ window: 1, freesAt });
  });

  it("reports the longest of full windows that free at once", () => {
    const log = new SlidingWindowLog();
    for (const now of [0, HOUR_MS - MINUTE_MS]) log.admit(hourAndMinute(2, 1), now);
    expect(log.admit(hourAndMinute(2, 1), HOUR_MS - 5).refusal).toEqual({ window: 0, freesAt: HOUR_MS });
  });

  it("follows a raised or lowered limit; an over-full window frees when it has room for one unit", () => {
    const log = new SlidingWindowLog();
    const limited = (limit: number) => [{ lengthMs: MINUTE_MS, limit }];
    for (const now of [0, 10, 20, 30]) log.admit(limited(4), now);
    const freesAt = 20 + MINUTE_MS;
    expect(log.admit(limited(2), 40)).toEqual({ used: 4, freesAt, refusal: { window: 0, freesAt } });
    expect(log.admit(limited(2), 20 + MINUTE_MS - 1).refusal).not.toBeNull();
    expect(log.admit(limited(2), 20 + MINUTE_MS).refusal).toBeNull();
    expect(log.admit(limited(9), 20 + MINUTE_MS)).toMatchObject({ used: 3, refusal: null });
  });

  it("uses the latest recorded time when the clock steps back", () => {
    const log = new SlidingWindowLog();
    const window = [{ lengthMs: MINUTE_MS, limit: 2 }];
    log.admit(window, 0);
    log.admit(window, MINUTE_MS);
    expect(log.admit(window, 5)).toEqual({ used: 2, freesAt: 2 * MINUTE_MS, refusal: null });
    expect(log.admit(window, 2 * MINUTE_MS - 1).refusal).not.toBeNull();
    expect(log.admit(window, 2 * MINUTE_MS).refusal).toBeNull();
  });

  it("counts no admission again that had left before the clock stepped back", () => {
    const log = new SlidingWindowLog();
    const windows = hourAndMinute(2, 2);
    log.admit(windows, 0);
    log.admit(windows, 1);
    expect(log.admit(windows, MINUTE_MS)).toMatchObject({ used: 2, refusal: { window: 0 } });
    expect(log.admit(hourAndMinute(9, 2), 2)).toMatchObject({ used: 3, refusal: null });
    expect(log.admit(hourAndMinute(9, 2), 2).refusal).toEqual({ window: 1, freesAt: 1 + MINUTE_MS });
  });

  it("counts the longest window without charging or moving anything", () => {
    const log = new SlidingWindowLog();
    expect(log.count(HOUR_MS, 0)).toBe(0);
    for (const now of [0, 10, 20]) log.admit(hourAndMinute(9, 9), now);
    expect([20, HOUR_MS - 1, HOUR_MS, HOUR_MS + 10, HOUR_MS + 20].map((now) => log.count(HOUR_MS, now))).toEqual([
      3, 3, 2, 1, 0,
    ]);
    expect(log.admit(hourAndMinute(9, 9), 30).used).toBe(4);
  });

  it("counts at a clock that stepped back as the next decision would", () => {
    const log = new SlidingWindowLog();
    for (const now of [0, 2 * HOUR_MS]) log.admit(hourAndMinute(9, 9), now);
    expect(log.count(HOUR_MS, HOUR_MS)).toBe(1);
    expect(log.count(HOUR_MS, -HOUR_MS)).toBe(1);
  });

  it("counts nothing in an emptied window while a longer one refuses", () => {
    const log = new SlidingWindowLog();
    log.admit(hourAndMinute(1, 1), 0);
    const refusal = { window: 0, freesAt: HOUR_MS };
    expect(log.admit(hourAndMinute(1, 1), MINUTE_MS + 5)).toEqual({ used: 1, freesAt: HOUR_MS, refusal });
    expect(log.admit(hourAndMinute(9, 1), MINUTE_MS + 5)).toEqual({ used: 2, freesAt: HOUR_MS, refusal: null });
  });

  it("lists the latest times of admissions and records, without those that have left", () => {
    const log = new SlidingWindowLog();
    const windows = hourAndMinute(3, 3);
    log.record(0);
    for (const now of [10, 20, 30]) log.admit(windows, now);
    expect([log.lastTimes(0), log.lastTimes(2), log.lastTimes(9)]).toEqual([[], [10, 20], [0, 10, 20]]);
    log.admit(windows, HOUR_MS);
    expect(log.lastTimes(9)).toEqual([10, 20, HOUR_MS]);
  });

  it("frees the memory of a peak once the peak has left its longest window, and grows again", () => {
    const log = new SlidingWindowLog();
    const windows = hourAndMinute(10_000, 10_000);
    const peak = (from: Instant) => {
      for (let index = 0; index < 10_000; index += 1) expect(log.admit(windows, from + index).refusal).toBeNull();
      expect(log.admit(windows, from + 10_000)).toMatchObject({ used: 10_000, refusal: { window: 0 } });
    };
    peak(0);
    expect(log.capacity).toBe(16_384);
    log.admit(windows, HOUR_MS + 5_000);
    expect(log.capacity).toBe(16_384);
    log.admit(windows, HOUR_MS + 9_999);
    expect(log.capacity).toBe(4);
    expect(log.count(HOUR_MS, HOUR_MS + 9_999)).toBe(2);
    peak(3 * HOUR_MS);
    expect(log.capacity).toBe(16_384);
  });

  it("a window log is idle before its first admission and once its longest window has passed", () => {
    const log = new SlidingWindowLog();
    expect(log.isIdle(0)).toBe(true);
    log.admit(hourAndMinute(1, 1), 0);
    expect(log.isIdle(HOUR_MS - 1)).toBe(false);
    expect(log.isIdle(HOUR_MS)).toBe(true);
  });

  it("a window log agrees with a plain list over random requests, and never admits one too many", async () => {
    const random = seededRandom(20_260_302);
    for (let subject = 0; subject < SUBJECTS; subject += 1) {
      await setImmediate(); // lets the test runner reach this worker: it gives up after a minute
      const windows = [
        { lengthMs: 10_000, limit: drawOne(random, [1, 2, 7, 50, 120]) },
        { lengthMs: 1_000, limit: drawOne(random, [1, 3, 10, 40]) },
      ];
      const log = new SlidingWindowLog();
      const plain = new PlainLog();
      for (const now of randomMoments(random, REQUESTS_PER_SUBJECT)) {
        expectSame(log.admit(windows, now), plain.admit(windows, now));
      }
      for (const { lengthMs, limit } of windows) {
        expect(closest(plain.admitted, limit)).toBeGreaterThanOrEqual(lengthMs);
      }
    }
  });

  it("a window log agrees with a plain list while the limits change from request to request", () => {
    const random = seededRandom(4);
    const log = new SlidingWindowLog();
    const plain = new PlainLog();
    for (const now of randomMoments(random, REQUESTS_UNDER_CHANGING_LIMITS)) {
      const windows = [
        { lengthMs: 10_000, limit: 1 + drawInteger(random, 80) },
        { lengthMs: 1_000, limit: 1 + drawInteger(random, 20) },
      ];
      expectSame(log.admit(windows, now), plain.admit(windows, now));
    }
  });
});

/** Compares as text first: `toEqual` a million times takes minutes. */
function expectSame(decision: Admission, expected: Admission): void {
  if (JSON.stringify(decision) !== JSON.stringify(expected)) expect(decision).toEqual(expected);
}

/** Bursts, pauses shorter and longer than the windows, and now and then a clock that steps back, a little or far. */
function* randomMoments(random: ReturnType<typeof seededRandom>, count: number): Generator<Instant> {
  let now = 1_000_000;
  for (let index = 0; index < count; index += 1) {
    const chance = drawInteger(random, 1_000);
    if (chance < 600) now += drawInteger(random, 60);
    else if (chance < 603) now += drawInteger(random, 25_000);
    else if (chance < 607) now -= drawInteger(random, 3_000);
    else if (chance < 609) now -= drawInteger(random, 20_000);
    yield now;
  }
}

/** The definition: keeps every admission and counts all of them at each request. */
class PlainLog {
  readonly admitted: Instant[] = [];
  #latest = Number.NEGATIVE_INFINITY;

  admit(windows: readonly Window[], now: Instant): Admission {
    const moment = Math.max(now, this.#latest);
    this.#latest = moment;
    const full = windows
      .map((window, index) => ({ index, limit: window.limit, ...this.#state(window, moment) }))
      .filter(({ used, limit }) => used >= limit)
      .sort((a, b) => b.freesAt - a.freesAt || a.index - b.index);
    const [last] = full;
    if (last === undefined) this.admitted.push(moment);
    const refusal = last === undefined ? null : { window: last.index, freesAt: last.freesAt };
    return { ...this.#state(at(windows, 0), moment), refusal };
  }

  #state({ lengthMs, limit }: Window, moment: Instant) {
    const counted: Instant[] = [];
    for (let index = this.admitted.length - 1; index >= 0; index -= 1) {
      const admitted = at(this.admitted, index);
      if (admitted + lengthMs <= moment) break;
      counted.unshift(admitted);
    }
    const leaves = counted[Math.max(0, counted.length - limit)];
    return { used: counted.length, freesAt: leaves === undefined ? moment : leaves + lengthMs };
  }
}

/** The shortest time within which `limit` + 1 were admitted. */
function closest(admitted: readonly Instant[], limit: number): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let index = limit; index < admitted.length; index += 1) {
    shortest = Math.min(shortest, (admitted[index] ?? Number.NaN) - (admitted[index - limit] ?? Number.NaN));
  }
  return shortest;
}
