import { type HtmlPage, html, pageOf } from "./html.js";
import { type LanguageWishes, pageLanguage } from "./page-language.js";
import type { PageProblem } from "./page-words/words.js";
import { wordsOf } from "./page-words.js";

/** What a browser shows of an error behind a link: in the language of the link or the reader, since the business may not be known. */
export function problemPage(status: number, wishes: Omit<LanguageWishes, "own">, back: string | null): HtmlPage {
  const language = pageLanguage({ ...wishes, own: null });
  const { problems, seeQuote } = wordsOf(language);
  const { title, text } = problems[problemOf(status, back !== null)];
  const link = back === null ? null : html`\n<p><a href="${back}">${seeQuote}</a></p>`;
  return pageOf(title, html`<h1>${title}</h1>\n<p>${text}</p>${link}`, language);
}

function problemOf(status: number, isForm: boolean): PageProblem {
  if (status === 404) return "missing";
  if (status === 422 && !isForm) return "unavailable"; // a PDF
  if (status === 409 || status === 422) return "changed";
  if (status === 429) return "tooMany";
  return status >= 500 ? "unavailable" : "refused";
}

const FORM_PATH = /^\/p\/([\w-]{43})\/(?:accept|decline|request-change|messages)$/;

/** The link from the path of a form to its budget, relative to that path; null = another path. */
export function wayBackFrom(path: string): string | null {
  const token = FORM_PATH.exec(path)?.[1];
  return token === undefined ? null : `../${token}`;
}
