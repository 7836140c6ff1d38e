/** The parts of an amount, which are typeset apart. */
interface MoneyParts {
  readonly sign: string;
  readonly whole: string; // with separators of groups
  readonly minor: string; // with its separator; empty = the currency has none
}

export interface Formats {
  readonly locale: string;
  readonly timeZone: string;
  money(amount: number, currency: string): MoneyParts;
  /** As one text, for labels and tooltips: `ARS 1,250.00`. */
  moneyText(amount: number, currency: string): string;
  number(value: number): string;
  /** 0.639 = 63.9% */
  percent(ratio: number): string;
  /** `24 Dec 2026`; without the year where it is this one. */
  date(iso: string): string;
  /** `24 Dec 17:20` */
  dateTime(iso: string): string;
  time(iso: string): string;
  /** `5 min`, `3 h`, `2 d` ago; a date for what is older than a month. */
  ago(iso: string, nowMs: number): string;
  /** Whole days of the calendar from now until then: 0 = today, negative = over. */
  daysUntil(iso: string, nowMs: number): number;
  /** `in 3 days`, `today` */
  until(iso: string, nowMs: number): string;
}

/** A sum or difference of amounts, without what binary fractions add beyond the decimals of every currency. */
export function withoutDust(amount: number): number {
  return Math.round(amount * 10_000) / 10_000;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DAYS_AGO = 31;

export function formatsOf(locale: string, timeZone: string): Formats {
  const inZone = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { ...options, timeZone });
  const shortDate = inZone({ day: "numeric", month: "short" });
  const longDate = inZone({ day: "numeric", month: "short", year: "numeric" });
  const clock = inZone({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const calendar = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const narrow = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "narrow" });
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const plain = new Intl.NumberFormat(locale);
  const moneyFormats = new Map<string, Intl.NumberFormat>();

  const moneyFormat = (currency: string) => {
    const made =
      moneyFormats.get(currency) ??
      new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "code", useGrouping: true });
    moneyFormats.set(currency, made);
    return made;
  };
  const money: Formats["money"] = (amount, currency) => {
    const parts = moneyFormat(currency).formatToParts(amount);
    const textOf = (...types: string[]) =>
      parts
        .filter(({ type }) => types.includes(type))
        .map(({ value }) => value)
        .join("");
    return { sign: textOf("minusSign"), whole: textOf("integer", "group"), minor: textOf("decimal", "fraction") };
  };
  const dayOf = (at: number) => Date.parse(calendar.format(at)) / DAY_MS;
  const date = (iso: string) => {
    const at = new Date(iso);
    return at.getUTCFullYear() === new Date().getUTCFullYear() ? shortDate.format(at) : longDate.format(at);
  };
  const daysUntil: Formats["daysUntil"] = (iso, nowMs) => dayOf(Date.parse(iso)) - dayOf(nowMs);

  return {
    locale,
    timeZone,
    money,
    moneyText: (amount, currency) => {
      const { sign, whole, minor } = money(amount, currency);
      return `${currency} ${sign}${whole}${minor}`;
    },
    number: (value) => plain.format(value),
    percent: (ratio) => percent.format(ratio),
    date,
    dateTime: (iso) => `${date(iso)} ${clock.format(new Date(iso))}`,
    time: (iso) => clock.format(new Date(iso)),
    ago: (iso, nowMs) => {
      const elapsed = Math.max(0, nowMs - Date.parse(iso));
      if (elapsed >= DAYS_AGO * DAY_MS) return date(iso);
      if (elapsed >= DAY_MS) return narrow.format(-Math.floor(elapsed / DAY_MS), "day");
      if (elapsed >= HOUR_MS) return narrow.format(-Math.floor(elapsed / HOUR_MS), "hour");
      return narrow.format(-Math.floor(elapsed / MINUTE_MS), "minute");
    },
    daysUntil,
    until: (iso, nowMs) => relative.format(daysUntil(iso, nowMs), "day"),
  };
}
