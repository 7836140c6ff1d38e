import { html, type Page, pageOf } from "./html.js";

/** The error page, with a link back to the budget; `back` null = no link. */
export function messagePage(title: string, message: string, back: string | null): Page {
  const link = back === null ? null : html`\n<p><a href="${back}">See the budget as it is now</a></p>`;
  return pageOf(title, html`<h1>${title}</h1>\n<p>${message}</p>${link}`);
}

const ANSWER_PATH = /^\/p\/([\w-]{43})\/(?:accept|decline|request-change)$/;

/** The link from the path of accept or decline to its budget, relative to that path; null = another path. */
export function wayBackFrom(path: string): string | null {
  const token = ANSWER_PATH.exec(path)?.[1];
  return token === undefined ? null : `../${token}`;
}
