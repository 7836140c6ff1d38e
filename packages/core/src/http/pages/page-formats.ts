import type { Instant } from "../../kernel/clock.js";
import { calendarDaysBetween } from "../../kernel/dates.js";
import { memoize } from "../../kernel/memoize.js";
import { type NumberFormats, numberFormats, withMinus } from "./number-formats.js";

/** Writes amounts, dates and rates for one page. */
export interface PageFormats extends NumberFormats {
  rate(rate: number): string; // 0.21 as 21 %
  duration(count: number, interval: Interval): string; // 3 months
  day(timestamp: string): string; // in the time zone of the business
  moment(timestamp: string): string; // with the time and the zone
  daysUntil(timestamp: string): number; // from now, in calendar days
  distance(timestamp: string): string; // the same in words
}

type Interval = "week" | "month" | "year";

interface FormatSettings {
  readonly locale: string;
  readonly currency: string;
  readonly timeZone: string;
}

const MAX_FORMATS = 200;

export function pageFormats(settings: FormatSettings, now: Instant): PageFormats {
  const { numbers, rate, day, moment, relative } = formatsNamed(
    `${settings.locale} ${settings.currency} ${settings.timeZone}`,
  );
  const daysUntil = (timestamp: string) => calendarDaysBetween(now, Date.parse(timestamp), settings.timeZone);
  return {
    ...numbers,
    rate: (share) => withMinus(rate.format(share)),
    duration: (count, interval) => durationsNamed(`${settings.locale} ${interval}`).format(count),
    day: (timestamp) => day.format(new Date(timestamp)),
    moment: (timestamp) => moment.format(new Date(timestamp)),
    daysUntil,
    distance: (timestamp) => relative.format(daysUntil(timestamp), "day"),
  };
}

/** By a name without blanks in its parts. The formats of Intl cost more to make than a page. */
const formatsNamed = memoize((name) => {
  const [locale = "", currency = "", timeZone = ""] = name.split(" ");
  return makeFormats({ locale, currency, timeZone });
}, MAX_FORMATS);

function makeFormats({ locale, currency, timeZone }: FormatSettings) {
  return {
    numbers: numberFormats(locale, currency),
    rate: new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 4 }),
    day: new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone }),
    moment: new Intl.DateTimeFormat(locale, {
      year: "numeric",
      month: "long",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      timeZone,
      timeZoneName: "short",
    }),
    relative: new Intl.RelativeTimeFormat(locale, { numeric: "auto" }),
  };
}

/** By a locale and an {@link Interval}. Few documents name a duration, and those on each line. */
const durationsNamed = memoize((name) => {
  const [locale = "", unit] = name.split(" ");
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" });
}, MAX_FORMATS);
