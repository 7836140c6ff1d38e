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

/** Of four years, of a century and of 400 years from a first of March, so that a leap day is the last day. */
const DAYS_OF_4_YEARS = 1_461;
const DAYS_OF_100_YEARS = 36_524;
const DAYS_OF_400_YEARS = 146_097;
const DAYS_BEFORE_1970 = 719_468; // from 1 March of the year 0

/** The date of a day, counted from 1970. The arithmetic of the Gregorian calendar, for the years of four digits. */
function dateOf(day: number): string {
  const days = day + DAYS_BEFORE_1970;
  if (!(days >= 306 && day < 2_932_897)) return new Date(day * DAY_MS).toISOString().slice(0, -"T00:00:00.000Z".length);
  const era = Math.floor(days / DAYS_OF_400_YEARS);
  const dayOfEra = days - era * DAYS_OF_400_YEARS;
  const leapDays =
    Math.floor(dayOfEra / (DAYS_OF_4_YEARS - 1)) -
    Math.floor(dayOfEra / DAYS_OF_100_YEARS) +
    Math.floor(dayOfEra / (DAYS_OF_400_YEARS - 1));
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const daysBefore = 365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  const dayOfYear = dayOfEra - daysBefore; // from 1 March
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const isAfterDecember = monthFromMarch > 9;
  const year = era * 400 + yearOfEra + (isAfterDecember ? 1 : 0);
  const month = isAfterDecember ? monthFromMarch - 9 : monthFromMarch + 3;
  return `${String(10_000 + year).slice(1)}-${TWO_DIGITS[month]}-${TWO_DIGITS[dayOfMonth]}`;
}

const TWO_DIGITS: readonly string[] = Array.from({ length: 60 }, (_, number) => String(100 + number).slice(1));

/** null stays null. */
export function timestampOrNull(instant: Instant | null): string | null {
  return instant === null ? null : toTimestamp(instant);
}
