import type { RemindersView } from "../../budgets/mailing/opt-out.js";
import { html, type Page, pageOf } from "./html.js";
import { MAIL_WORDS } from "./mail-words.js";
import { type LanguageWishes, pageLanguage } from "./page-language.js";

/**
 * The page that ends the reminders to a customer, or lets them come again. Opening it changes nothing: mail programs open
 * links by themselves.
 */
export function unsubscribePage(view: RemindersView, wishes: Omit<LanguageWishes, "own">): Page {
  const language = pageLanguage({ ...wishes, own: view.locale });
  const words = MAIL_WORDS[language];
  const business = view.business ?? "";
  const actionWith = (given: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams({ ...given, ...(wishes.asked === null ? {} : { lang: wishes.asked }) });
    return query.size === 0 ? "unsubscribe" : `unsubscribe?${query}`;
  };
  const content = view.remindersOff
    ? html`<p>${words.unsubscribed(business)}</p>
<form method="post" action="${actionWith({ reminders: "on" })}">
<button type="submit">${words.resumeButton}</button>
</form>`
    : html`<p>${words.unsubscribeAbout(business)}</p>
<form method="post" action="${actionWith({})}">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button type="submit">${words.unsubscribeButton}</button>
</form>`;
  const title = words.unsubscribeTitle;
  return pageOf(title, html`<h1>${title}</h1>\n${content}`, language, view.accentColor);
}
