import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import { isolatedIn } from "./isolate.js";
import { pageFormats } from "./page-formats.js";
import { directionOf, formatLocale, languageIn } from "./page-language.js";
import { type PageWords, type TextsByLanguage, wordsOf } from "./page-words.js";

type Consented = Pick<PublicBudgetView, "business" | "number" | "id" | "total" | "currency">;

/** The sentence beside the button with which a customer accepts. `amount` replaces the total. */
export function consentText(view: Consented, words: PageWords, locale: string, amount?: string): string {
  const { business, number, id, total, currency } = view;
  const { money } = pageFormats({ locale, currency, timeZone: business.timeZone }, 0);
  const direction = directionOf(languageIn(locale) ?? "en");
  const name = business.name ?? business.legalName ?? words.theBusiness;
  return words.consent(isolatedIn(direction, name), isolatedIn(direction, number ?? id), amount ?? money(total));
}

/**
 * What a customer read who accepted on the page, whose form names its locale. Null for a language that the page does not
 * have.
 */
export function consentIn(locale: string | undefined, texts: TextsByLanguage = {}) {
  const language = languageIn(locale ?? null);
  if (locale === undefined || language === null) return () => null;
  const words = wordsOf(language, texts[language]);
  const regional = formatLocale(language, null, locale);
  return (view: PublicBudgetView) => {
    const shown = locale === view.business.locale ? locale : regional;
    return { language, text: consentText(view, words, shown) };
  };
}
