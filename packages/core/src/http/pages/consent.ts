import type { PublicBudgetView } from "../../budgets/sharing/public-link.js";
import { PAGE_LANGUAGES } from "./page-language.js";
import { type PageWords, type TextsByLanguage, wordsOf } from "./page-words.js";

/** The sentence beside the button with which a customer accepts. */
export function consentText({ business }: Pick<PublicBudgetView, "business">, { consent }: PageWords): string {
  return consent(business.name ?? business.legalName ?? "");
}

/** What a customer read who accepted on the page of a language. Null for a language that the page does not have. */
export function consentIn(language: string | undefined, texts: TextsByLanguage = {}) {
  const known = PAGE_LANGUAGES.find((each) => each === language);
  if (known === undefined) return () => null;
  const words = wordsOf(known, texts[known]);
  return (view: PublicBudgetView) => ({ language: known, text: consentText(view, words) });
}
