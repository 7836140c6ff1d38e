import { tzOffset } from "@date-fns/tz";
import { UTCDateMini, utc } from "@date-fns/utc";
import { addDays } from "date-fns/addDays";
import { differenceInCalendarDays } from "date-fns/differenceInCalendarDays";
import { getYear } from "date-fns/getYear";
import { parseISO } from "date-fns/parseISO";
import { setHours } from "date-fns/setHours";
import { startOfDay } from "date-fns/startOfDay";
import { startOfISOWeek } from "date-fns/startOfISOWeek";
import { subDays } from "date-fns/subDays";
import { DAY_MS, type Instant, MINUTE_MS } from "./clock.js";

/** A date as a client wrote it: a moment, or a local date-time or calendar day, which a time zone makes a moment. */
export type WireDate =
  | { readonly kind: "moment"; readonly at: Instant }
  | { readonly kind: "local" | "day"; readonly shown: Instant }; // when a clock in UTC shows it; a day: at its start

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = new RegExp(
  [
    /^(?<day>\d{4}-\d{2}-\d{2})[Tt](?<hour>\d{2}):(?<minute>\d{2})/, // the seconds may be left out
    /(?::(?<second>\d{2})(?:\.(?<fraction>\d+))?)?/,
    /(?<offset>[Zz]|(?<sign>[+-])(?<offsetHour>\d{2})(?::?(?<offsetMinute>\d{2}))?)?$/,
  ]
    .map(({ source }) => source)
    .join(""),
);
const FIRST_YEAR = 2000;
const LAST_YEAR = 2199;

/**
 * Reads an RFC 3339 date-time or a plain date of the years 2000 to 2199. A date-time may also leave out the seconds or
 * the offset, and write the offset as `+0200` or `+02`. Null for anything else (30 February, 24:00, a leap second).
 */
export function parseWireDate(text: string): WireDate | null {
  const day = parseDay(text);
  if (day !== null) return { kind: "day", shown: day };
  const { groups } = DATE_TIME.exec(text) ?? {};
  if (groups === undefined) return null;
  const date = parseDay(groups.day ?? "");
  const time = timeOf(groups);
  if (date === null || time === null) return null;
  const shown = date + time;
  if (groups.offset === undefined) return { kind: "local", shown };
  const offset = offsetOf(groups);
  if (offset === null) return null;
  const at = shown - offset;
  return isReadable(at) ? { kind: "moment", at } : null;
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Milliseconds since the start of the day; digits after the third decimal are dropped. */
function timeOf({ hour = "", minute = "", second = "0", fraction = "0" }: Groups): number | null {
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const milliseconds = Number(fraction.padEnd(3, "0").slice(0, 3));
  return (Number(hour) * 60 + Number(minute)) * MINUTE_MS + Number(second) * 1_000 + milliseconds;
}

/** Milliseconds east of UTC. */
function offsetOf({ sign, offsetHour = "0", offsetMinute = "0" }: Groups): number | null {
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null;
  return (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -MINUTE_MS : MINUTE_MS);
}

/** The start of the day in UTC; null = not a calendar day of the years that are read. */
function parseDay(text: string): Instant | null {
  if (!DAY.test(text)) return null;
  const start = parseISO(text, { in: utc }).getTime(); // NaN = no such day
  return isReadable(start) ? start : null;
}

/** False for NaN too. */
function isReadable(at: Instant): boolean {
  const year = getYear(at, { in: utc });
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

/** The moment of a wire date; for a day its first millisecond in `timeZone` (an IANA name). */
export function startOf(date: WireDate, timeZone: string): Instant {
  return date.kind === "moment" ? date.at : readable(momentIn(timeZone, date.shown));
}

/** The moment of a wire date; for a day its last millisecond in `timeZone` (an IANA name). */
export function endOf(date: WireDate, timeZone: string): Instant {
  return date.kind === "day"
    ? readable(momentIn(timeZone, addDays(date.shown, 1, { in: utc }).getTime()) - 1)
    : startOf(date, timeZone);
}

const FIRST_MOMENT = Date.UTC(FIRST_YEAR, 0);
const LAST_MOMENT = Date.UTC(LAST_YEAR + 1, 0) - 1;

/** The last day ends in 2200 by UTC, west of Greenwich: clients and imports could not send back what they read. */
function readable(moment: Instant): Instant {
  return Math.min(Math.max(moment, FIRST_MOMENT), LAST_MOMENT);
}

/**
 * The moment when clocks in the time zone show what a clock in UTC shows at `shown`. A time that occurs twice, because
 * the clocks go back, is the earlier moment. A time that the clocks skip is read with the offset before the change, so
 * it is the later moment: 02:30 becomes 03:30. Source: RFC 5545, section 3.3.5. `TZDate` of @date-fns/tz does not serve:
 * of a time that occurs twice it returns the earlier or the later moment, depending on the machine's time zone.
 */
function momentIn(timeZone: string, shown: Instant): Instant {
  const offsetAt = (at: Instant): number => tzOffset(timeZone, new Date(at)) * MINUTE_MS;
  const before = offsetAt(shown - DAY_MS);
  const after = offsetAt(shown + DAY_MS);
  if (before === after) return shown - before;
  const isBefore = offsetAt(shown - before) === before;
  const isAfter = offsetAt(shown - after) === after;
  return isBefore || !isAfter ? shown - before : shown - after;
}

/** True for an IANA time zone that this machine supports. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Finds the time zone of a business; null = unknown business. */
export interface TimeZones {
  findBusiness(businessId: string): Promise<{ readonly timeZone: string } | null>;
}

/** The time zone for a date of this business. A moment needs none, so nothing is read. */
export async function timeZoneFor(zones: TimeZones, businessId: string, date: WireDate): Promise<string> {
  if (date.kind === "moment") return "UTC";
  return (await zones.findBusiness(businessId))?.timeZone ?? "UTC";
}

/** What clocks in the time zone show at a moment, as a date whose fields are read as those of UTC. */
export function wallClockIn(timeZone: string, at: Instant): Date {
  return new UTCDateMini(at + tzOffset(timeZone, new Date(at)) * MINUTE_MS);
}

/** The moment of `hour` o'clock, `days` calendar days before the day of `at` in the time zone. */
export function hourDaysBefore(at: Instant, days: number, hour: number, timeZone: string): Instant {
  const day = subDays(startOfDay(wallClockIn(timeZone, at)), days);
  return momentIn(timeZone, setHours(day, hour).getTime());
}

/** The number of midnights of the time zone between two moments; negative when `to` is earlier. */
export function calendarDaysBetween(from: Instant, to: Instant, timeZone: string): number {
  return differenceInCalendarDays(wallClockIn(timeZone, to), wallClockIn(timeZone, from), { in: utc });
}

/** A week of a time zone. */
export interface LocalWeek {
  readonly monday: string; // YYYY-MM-DD
  readonly start: Instant;
}

/** The last `count` weeks of the time zone, the oldest first, up to the week of `at`, and the one that follows it. */
export function weeksAround(at: Instant, count: number, timeZone: string): readonly LocalWeek[] {
  const monday = startOfISOWeek(wallClockIn(timeZone, at));
  return Array.from({ length: count + 1 }, (_, index) => {
    const shown = addDays(monday, 7 * (index + 1 - count));
    return { monday: shown.toISOString().slice(0, "2026-01-01".length), start: momentIn(timeZone, shown.getTime()) };
  });
}
