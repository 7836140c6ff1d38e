import { exponentOf } from "../../kernel/currency.js";

/** Writes amounts and quantities. It runs in browsers too, so that both write the same. */
export interface NumberFormats {
  money(amount: number): string; // with the currency code; a unit price may have six decimals
  price(amount: number): string; // the same with the symbol of the currency
  change(amount: number): string; // the same with its sign
  moneyParts(amount: number): readonly MoneyPart[]; // of `money`
  quantity(quantity: number): string;
}

/** The code of the currency, or what stands beside it. */
interface MoneyPart {
  readonly isCode: boolean;
  readonly text: string;
}

export function numberFormats(locale: string, currency: string): NumberFormats {
  // The decimals are those of the arithmetic: Intl has others for 16 currencies, for example none for COP.
  const digits = { minimumFractionDigits: exponentOf(currency), maximumFractionDigits: 6 };
  const bySymbol = {
    style: "currency",
    currency,
    currencyDisplay: locale.startsWith("ar") ? "symbol" : "narrowSymbol",
    ...digits,
  } as const;
  const money = new Intl.NumberFormat(locale, { ...bySymbol, currencyDisplay: "code" });
  const price = new Intl.NumberFormat(locale, bySymbol);
  const change = new Intl.NumberFormat(locale, { ...bySymbol, signDisplay: "exceptZero" });
  const quantity = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
  return {
    money: (amount) => withMinus(money.format(amount)),
    price: (amount) => withMinus(price.format(amount)),
    change: (amount) => withMinus(change.format(amount)),
    moneyParts: (amount) =>
      money.formatToParts(amount).map(({ type, value }) => ({ isCode: type === "currency", text: withMinus(value) })),
    quantity: (amount) => withMinus(quantity.format(amount)),
  };
}

/** The class of an amount that stands alone: a long one is smaller. */
export function amountSize(parts: readonly MoneyPart[]): "" | "long" | "longest" {
  const length = parts.reduce((sum, { text }) => sum + text.length, 0);
  return length > 20 ? "longest" : length > 17 ? "long" : "";
}

/**
 * The sign for minus, as wide as the plus, in the place of the hyphen. A mark of direction stays only beside letters of a
 * script from right to left: beside a Latin symbol it would turn the symbol over.
 */
export function withMinus(text: string): string {
  return (ARABIC_OR_HEBREW.test(text) ? text : text.replace(MARKS, "")).replace("-", "\u2212");
}

const ARABIC_OR_HEBREW = /[\u05d0-\u05ea\u0620-\u064a]/;
const MARKS = /[\u061c\u200e\u200f]/g;
