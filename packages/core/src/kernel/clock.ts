/** A point in time: whole milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

/** The source of time. Rules never read a clock: they take `now` as an argument. */
export interface Clock {
  now(): Instant;
  /** Milliseconds with fractions, from an arbitrary start; never steps back. For measuring durations. */
  monotonicMs(): number;
}

/** The machine's clock. Only this file of the core reads it. */
export const systemClock: Clock = { now: () => Date.now(), monotonicMs: () => performance.now() };

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * ISO 8601 in UTC with milliseconds, the format of the contract. The same as `toISOString`, which takes several times as
 * long. Throws a RangeError for a time that a Date cannot hold.
 */
export function toTimestamp(instant: Instant): string {
  const day = Math.floor(instant / DAY_MS);
  const ms = (Math.floor(instant) - day * DAY_MS) | 0; // an integer to V8, whose remainders take less time
  const seconds = (ms / SECOND_MS) | 0;
  const minutes = (seconds / 60) | 0;
  const time = `${TWO_DIGITS[(minutes / 60) | 0]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`;
  return `${dateOf(day)}T${time}.${String(SECOND_MS + (ms % SECOND_MS)).slice(1)}Z`;
}

const MAX_DATES = 5_000;
const dates = new Map<number, string>();

/** The date of a day, counted from 1970. */
function dateOf(day: number): string {
  const known = dates.get(day);
  if (known !== undefined) return known;
  const date = new Date(day * DAY_MS).toISOString().slice(0, -"T00:00:00.000Z".length);
  if (dates.size >= MAX_DATES) dates.clear();
  dates.set(day, date);
  return date;
}

const TWO_DIGITS: readonly string[] = Array.from({ length: 60 }, (_, number) => String(100 + number).slice(1));

/** null stays null. */
export function timestampOrNull(instant: Instant | null): string | null {
  return instant === null ? null : toTimestamp(instant);
}
