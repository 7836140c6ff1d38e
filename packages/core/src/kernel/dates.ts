import { TZDate } from "@date-fns/tz";
import { endOfDay } from "date-fns/endOfDay";
import { startOfDay } from "date-fns/startOfDay";
import type { Instant } from "./clock.js";

/** A date as a client wrote it: a moment, or a calendar day that means a moment only in a time zone. */
export type WireDate =
  | { readonly kind: "moment"; readonly at: Instant }
  | { readonly kind: "day"; readonly year: number; readonly month: number; readonly day: number }; // month from 1

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const FIRST_YEAR = 2000;
const LAST_YEAR = 2100;

/**
 * Reads an RFC 3339 date-time with an offset, or a plain date, of the years 2000 to 2100; null for anything else
 * (30 February, 24:00, a leap second, a date-time without an offset).
 */
export function parseWireDate(text: string): WireDate | null {
  const day = parseDay(text);
  if (day !== null) return day;
  const match = MOMENT.exec(text);
  if (match === null) return null;
  const [, date = "", hour = "", minute = "", second = "", fraction = "0", sign, offsetHour = "0", offsetMinute = "0"] =
    match;
  const calendar = parseDay(date);
  if (calendar === null) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null;
  const offsetMinutes = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -1 : 1);
  const milliseconds = Number(fraction.padEnd(3, "0").slice(0, 3));
  const local = Date.UTC(
    calendar.year,
    calendar.month - 1,
    calendar.day,
    Number(hour),
    Number(minute),
    Number(second),
    milliseconds,
  );
  const at = local - offsetMinutes * 60_000;
  const year = new Date(at).getUTCFullYear();
  return year < FIRST_YEAR || year > LAST_YEAR ? null : { kind: "moment", at };
}

function parseDay(text: string): Extract<WireDate, { kind: "day" }> | null {
  const match = DAY.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  if (year < FIRST_YEAR || year > LAST_YEAR) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? { kind: "day", year, month, day } : null;
}

/** The moment a wire date names; a day means its first millisecond in `timeZone` (an IANA name). */
export function startOf(date: WireDate, timeZone: string): Instant {
  return date.kind === "moment" ? date.at : startOfDay(dayIn(date, timeZone)).getTime();
}

/** The moment a wire date names; a day means its last millisecond in `timeZone` (an IANA name). */
export function endOf(date: WireDate, timeZone: string): Instant {
  return date.kind === "moment" ? date.at : endOfDay(dayIn(date, timeZone)).getTime();
}

function dayIn(date: Extract<WireDate, { kind: "day" }>, timeZone: string): TZDate {
  return new TZDate(date.year, date.month - 1, date.day, timeZone);
}

/** True for a time zone name that this machine knows. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
