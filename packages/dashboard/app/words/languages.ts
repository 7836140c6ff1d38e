import type { Words } from "./en.js";

/** Each language has its own file of words, loaded alone. A further one is a file and a line here. */
const LOADERS = {
  en: () => import("./en.js").then(({ en }) => en),
  es: () => import("./es.js").then(({ es }) => es),
  pt: () => import("./pt.js").then(({ pt }) => pt),
} satisfies Record<string, () => Promise<Words>>;

export type Language = keyof typeof LOADERS;

/** In their own words, for a menu. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: "English", es: "Español", pt: "Português" };

const KEPT = "budgetkit language";
const loaded = new Map<Language, Promise<Words>>();

/** The same promise for the same language, so that it can be awaited while rendering. */
export function loadWords(language: Language): Promise<Words> {
  const words = loaded.get(language) ?? LOADERS[language]();
  loaded.set(language, words);
  document.documentElement.lang = language;
  return words;
}

/** The kept choice, else the first language of the browser that is spoken here, else English. */
export function browserLanguage(): Language {
  const wanted = [localStorage.getItem(KEPT) ?? "", ...navigator.languages];
  return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(KEPT, language);
}

function isLanguage(text: string): text is Language {
  return Object.hasOwn(LOADERS, text);
}
