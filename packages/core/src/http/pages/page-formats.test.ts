import { describe, expect, it } from "vitest";
import { exponentOf, isCurrency } from "../../kernel/currency.js";
import { pageFormats } from "./page-formats.js";

const CURRENCIES = Intl.supportedValuesOf("currency").filter(isCurrency);

function moneyOf(currency: string, locale = "es") {
  const { money } = pageFormats({ locale, currency, timeZone: "UTC" }, 0);
  return (amount: number) => money(amount).replaceAll("\u00a0", " ");
}

describe("amounts on pages, in mails and PDFs", () => {
  it("amounts on pages, in mails and PDFs show the decimals of the arithmetic in every currency", () => {
    const decimalsOf = (text: string) => /[.,](\d{1,4})$/.exec(text)?.[1]?.length ?? 0;
    for (const currency of CURRENCIES) {
      const money = moneyOf(currency, "en");
      const exponent = exponentOf(currency);
      const smallest = 1 / 10 ** exponent;
      const shown = [7, 7 + smallest].map((amount) => decimalsOf(money(amount)));
      expect([currency, ...shown]).toEqual([currency, exponent, exponent]);
    }
    expect(CURRENCIES.length).toBeGreaterThan(100);
  });

  it("writes COP and IQD with the decimals of ISO 4217, where Intl uses others", () => {
    const money = moneyOf("COP");
    expect([1_234.5, 100, 722.67].map(money)).toEqual(["1234,50 COP", "100,00 COP", "722,67 COP"]);
    expect(moneyOf("IQD")(1)).toBe("1,000 IQD");
  });

  it("shows the further decimals of a unit price, up to six", () => {
    expect([0.123456, 2.5].map(moneyOf("EUR"))).toEqual(["0,123456 EUR", "2,50 EUR"]);
    expect(moneyOf("JPY")(0.5)).toBe("0,5 JPY");
  });
});
