import type { RemindersView } from "../../budgets/mailing/opt-out.js";
import { type Html, type HtmlPage, html, pageOf } from "./html.js";
import type { MailWords } from "./mail-words/words.js";
import { MAIL_WORDS } from "./mail-words.js";
import { type LanguageWishes, pageLanguage } from "./page-language.js";

/**
 * The page that ends the reminders to a customer, or lets them come again. Opening it changes nothing: mail programs open
 * links by themselves.
 */
export function unsubscribePage(
  view: RemindersView,
  wishes: Omit<LanguageWishes, "own">,
  mailToken: string | null, // of the link; null = none
): HtmlPage {
  const language = pageLanguage({ ...wishes, own: view.locale });
  const words = MAIL_WORDS[language];
  const business = view.business ?? "";
  const actionWith = (given: Readonly<Record<string, string>>) => {
    const asked = wishes.asked === null ? {} : { lang: wishes.asked };
    const query = new URLSearchParams({ ...given, ...(mailToken === null ? {} : { mail: mailToken }), ...asked });
    return query.size === 0 ? "unsubscribe" : `unsubscribe?${query}`;
  };
  const content = view.remindersOff
    ? html`<p>${words.unsubscribed(business)}</p>${view.resumable ? resumeForm(words, actionWith({ reminders: "on" })) : null}`
    : html`<p>${words.unsubscribeAbout(business)}</p>
<form method="post" action="${actionWith({})}">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button type="submit">${words.unsubscribeButton}</button>
</form>`;
  const title = words.unsubscribeTitle;
  return pageOf(title, html`<h1>${title}</h1>\n${content}`, language, view.accentColor);
}

/** Only in the mail by which the reminders were ended. */
function resumeForm({ resumeButton }: MailWords, action: string): Html {
  return html`
<form method="post" action="${action}">
<button type="submit">${resumeButton}</button>
</form>`;
}
