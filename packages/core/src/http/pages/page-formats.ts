import type { Instant } from "../../kernel/clock.js";
import { exponentOf } from "../../kernel/currency.js";
import { calendarDaysBetween } from "../../kernel/dates.js";
import { memoize } from "../../kernel/memoize.js";

/** Writes amounts, dates and rates for one page. */
export interface PageFormats {
  money(amount: number): string; // with the currency code; a unit price may have six decimals
  price(amount: number): string; // the same with the symbol of the currency
  change(amount: number): string; // the same with its sign
  moneyParts(amount: number): readonly MoneyPart[]; // of `money`
  quantity(quantity: number): string;
  rate(rate: number): string; // 0.21 as 21 %
  day(timestamp: string): string; // in the time zone of the business
  moment(timestamp: string): string; // with the time and the zone
  daysUntil(timestamp: string): number; // from now, in calendar days
  distance(timestamp: string): string; // the same in words
}

/** The code of the currency, or what stands beside it. */
interface MoneyPart {
  readonly isCode: boolean;
  readonly text: string;
}

interface FormatSettings {
  readonly locale: string;
  readonly currency: string;
  readonly timeZone: string;
}

const MAX_FORMATS = 200;

export function pageFormats(settings: FormatSettings, now: Instant): PageFormats {
  const { money, price, change, quantity, rate, day, moment, relative } = formatsNamed(
    `${settings.locale} ${settings.currency} ${settings.timeZone}`,
  );
  const daysUntil = (timestamp: string) => calendarDaysBetween(now, Date.parse(timestamp), settings.timeZone);
  return {
    money: (amount) => withMinus(money.format(amount)),
    price: (amount) => withMinus(price.format(amount)),
    change: (amount) => withMinus(change.format(amount)),
    moneyParts: (amount) =>
      money.formatToParts(amount).map(({ type, value }) => ({ isCode: type === "currency", text: withMinus(value) })),
    quantity: (amount) => withMinus(quantity.format(amount)),
    rate: (share) => withMinus(rate.format(share)),
    day: (timestamp) => day.format(new Date(timestamp)),
    moment: (timestamp) => moment.format(new Date(timestamp)),
    daysUntil,
    distance: (timestamp) => relative.format(daysUntil(timestamp), "day"),
  };
}

/**
 * The sign for minus, as wide as the plus, in the place of the hyphen. A mark of direction stays only beside letters of a
 * script from right to left: beside a Latin symbol it would turn the symbol over.
 */
function withMinus(text: string): string {
  return (ARABIC_OR_HEBREW.test(text) ? text : text.replace(MARKS, "")).replace("-", "\u2212");
}

const ARABIC_OR_HEBREW = /[\u05d0-\u05ea\u0620-\u064a]/;
const MARKS = /[\u061c\u200e\u200f]/g;

/** By a name without blanks in its parts. The formats of Intl cost more to make than a page. */
const formatsNamed = memoize((name) => {
  const [locale = "", currency = "", timeZone = ""] = name.split(" ");
  return makeFormats({ locale, currency, timeZone });
}, MAX_FORMATS);

function makeFormats({ locale, currency, timeZone }: FormatSettings) {
  // The decimals are those of the arithmetic: Intl has others for 16 currencies, for example none for COP.
  const digits = { minimumFractionDigits: exponentOf(currency), maximumFractionDigits: 6 };
  const bySymbol = {
    style: "currency",
    currency,
    currencyDisplay: locale.startsWith("ar") ? "symbol" : "narrowSymbol",
    ...digits,
  } as const;
  return {
    money: new Intl.NumberFormat(locale, { ...bySymbol, currencyDisplay: "code" }),
    price: new Intl.NumberFormat(locale, bySymbol),
    change: new Intl.NumberFormat(locale, { ...bySymbol, signDisplay: "exceptZero" }),
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
