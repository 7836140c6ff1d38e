import type { PageLanguage } from "./page-language.js";
import { ar } from "./page-words/ar.js";
import { de } from "./page-words/de.js";
import { en } from "./page-words/en.js";
import { es } from "./page-words/es.js";
import { fr } from "./page-words/fr.js";
import { he } from "./page-words/he.js";
import { it } from "./page-words/it.js";
import { ja } from "./page-words/ja.js";
import { nl } from "./page-words/nl.js";
import { pt } from "./page-words/pt.js";
import type { PageWords } from "./page-words/words.js";

export type { PageWords } from "./page-words/words.js";

const PAGE_WORDS: Readonly<Record<PageLanguage, PageWords>> = { en, es, pt, de, fr, it, nl, ja, ar, he };

/** Some of the texts of a language. */
export type PageTexts = Partial<Omit<PageWords, "status" | "problems">> & {
  /** The names of statuses. */
  readonly status?: Partial<PageWords["status"]>;
  /** The pages that tell of an error. */
  readonly problems?: Partial<PageWords["problems"]>;
};

/** Texts that replace those of the page. */
export type TextsByLanguage = Readonly<Partial<Record<PageLanguage, PageTexts>>>;

/** The texts of a language with those that the host has replaced. */
export function wordsOf(language: PageLanguage, { status, problems, ...own }: PageTexts = {}): PageWords {
  const words = PAGE_WORDS[language];
  return { ...words, ...own, status: { ...words.status, ...status }, problems: { ...words.problems, ...problems } };
}
