import { MAIL_LANGUAGES } from "../../budgets/mail.js";
import { weightOf } from "../headers/negotiation.js";

/** The languages of the customer's page. */
export const PAGE_LANGUAGES = MAIL_LANGUAGES;
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

export type Direction = "ltr" | "rtl";

/** In which direction a language is written. */
export function directionOf(language: PageLanguage): Direction {
  return language === "ar" || language === "he" ? "rtl" : "ltr";
}

/**
 * The locale of amounts and dates: the region that the reader's browser names with the language of the page, else that of
 * the business where it has this language.
 */
export function formatLocale(language: PageLanguage, own: string | null, accepted: string | null = null): string {
  return regionalIn(accepted, language) ?? (own !== null && languageIn(own) === language ? own : language);
}

/** A tag of a language and a region, such as `en-GB`. */
const REGIONAL = /^[a-z]{2}-[a-z]{2}$/i;

function regionalIn(accepted: string | null, language: PageLanguage): string | null {
  const ranges = accepted?.split(",", MAX_RANGES) ?? [];
  const tags = ranges.map((range) => range.split(";")[0]?.trim() ?? "");
  const found = tags.find((tag) => REGIONAL.test(tag) && languageIn(tag) === language);
  return found === undefined ? null : `${found.slice(0, 2).toLowerCase()}-${found.slice(3).toUpperCase()}`;
}

/** Of a header that are read for a region. */
const MAX_RANGES = 20;

export function languageIn(tag: string | null): PageLanguage | null {
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
