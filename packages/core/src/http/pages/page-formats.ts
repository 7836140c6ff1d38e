import type { Instant } from "../../kernel/clock.js";
import { exponentOf } from "../../kernel/currency.js";
import { calendarDaysBetween } from "../../kernel/dates.js";
import { memoize } from "../../kernel/memoize.js";

/** Writes amounts, dates and rates for one page. */
export interface PageFormats {
  money(amount: number): string; // with the currency code; a unit price may have six decimals
  quantity(quantity: number): string;
  rate(rate: number): string; // 0.21 as 21 %
  day(timestamp: string): string; // in the time zone of the business
  moment(timestamp: string): string; // with the time and the zone
  distance(timestamp: string): string; // from now, in calendar days and words
}

interface FormatSettings {
  readonly locale: string;
  readonly currency: string;
  readonly timeZone: string;
}

const MAX_FORMATS = 200;

export function pageFormats(settings: FormatSettings, now: Instant): PageFormats {
  const { money, quantity, rate, day, moment, relative } = formatsNamed(
    `${settings.locale} ${settings.currency} ${settings.timeZone}`,
  );
  return {
    money: (amount) => money.format(amount),
    quantity: (amount) => quantity.format(amount),
    rate: (share) => rate.format(share),
    day: (timestamp) => day.format(new Date(timestamp)),
    moment: (timestamp) => moment.format(new Date(timestamp)),
    distance: (timestamp) => relative.format(calendarDaysBetween(now, Date.parse(timestamp), settings.timeZone), "day"),
  };
}

/** By a name without blanks in its parts. The formats of Intl cost more to make than a page. */
const formatsNamed = memoize((name) => {
  const [locale = "", currency = "", timeZone = ""] = name.split(" ");
  return makeFormats({ locale, currency, timeZone });
}, MAX_FORMATS);

function makeFormats({ locale, currency, timeZone }: FormatSettings) {
  return {
    // The decimals are those of the arithmetic: Intl has others for 16 currencies, for example none for COP.
    money: new Intl.NumberFormat(locale, {
      style: "currency",
      currency,
      currencyDisplay: "code",
      minimumFractionDigits: exponentOf(currency),
      maximumFractionDigits: 6,
    }),
    quantity: new Intl.NumberFormat(locale, { maximumFractionDigits: 6 }),
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
