interface Choices {
  readonly locale: string;
  readonly currency: string;
  readonly timeZone: string;
}

const AMOUNT = 1_234_567.5;

/** How documents write an amount and a date with the choices; without them, as those of a new business. */
export function sampleOf({ locale, currency, timeZone }: Choices, nowMs: number) {
  const tag = Intl.getCanonicalLocales(locale === "" ? "en" : locale)[0] ?? "en";
  const style = { style: "currency", currency: currency === "" ? "USD" : currency } as const;
  return {
    amount: new Intl.NumberFormat(tag, style).format(AMOUNT),
    date: new Intl.DateTimeFormat(tag, { dateStyle: "long", timeZone }).format(nowMs),
    time: new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeStyle: "short", timeZone }).format(nowMs),
  };
}
