import { weightOf } from "../headers/negotiation.js";

/** The languages of the customer's page. */
export const PAGE_LANGUAGES = ["en", "es", "pt"] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** What a request and a business say of the language; null = nothing. */
export interface LanguageWishes {
  readonly asked: string | null; // the `lang` of the link
  readonly accepted: string | null; // the Accept-Language header
  readonly own: string | null; // the locale of the business
}

/** The language of the link, else the one that the browser prefers, else that of the business, else English. */
export function pageLanguage({ asked, accepted, own }: LanguageWishes): PageLanguage {
  return languageIn(asked) ?? preferredIn(accepted) ?? languageIn(own) ?? "en";
}

/** The locale of amounts and dates: that of the business where it has the language of the page. */
export function formatLocale(language: PageLanguage, own: string | null): string {
  return own !== null && languageIn(own) === language ? own : language;
}

function languageIn(tag: string | null): PageLanguage | null {
  const name = tag?.toLowerCase().split("-")[0];
  return PAGE_LANGUAGES.find((language) => language === name) ?? null;
}

/** Of languages with the same weight the first in the header. Source: RFC 9110, section 12.5.4. */
function preferredIn(accepted: string | null): PageLanguage | null {
  if (accepted === null) return null;
  const known = accepted.split(",").flatMap((range) => {
    const tag = range.split(";")[0]?.trim().toLowerCase() ?? "";
    const language = languageIn(tag);
    const weight = weightOf(range, tag);
    return language === null || weight === 0 ? [] : [{ language, weight }];
  });
  return known.sort((a, b) => b.weight - a.weight)[0]?.language ?? null;
}
