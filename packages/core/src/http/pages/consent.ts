import type { PublicBudgetView } from "../../budgets/sharing/public-link.js";
import { PAGE_LANGUAGES, type PageLanguage } from "./page-language.js";
import { PAGE_WORDS } from "./page-words.js";

/** The sentence beside the button with which a customer accepts. */
export function consentText({ business }: Pick<PublicBudgetView, "business">, language: PageLanguage): string {
  return PAGE_WORDS[language].consent(business.name ?? business.legalName ?? "");
}

/** What a customer read who accepted on the page of a language. Null for a language that the page does not have. */
export function consentIn(language: string | undefined) {
  const known = PAGE_LANGUAGES.find((each) => each === language);
  if (known === undefined) return () => null;
  return (view: PublicBudgetView) => ({ language: known, text: consentText(view, known) });
}
