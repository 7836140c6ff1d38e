import { MIN_PASSWORD_LENGTH } from "../../access/password-rules.js";
import { type HtmlPage, html, pageOf } from "./html.js";

/** The error page, with a link back to the budget; `back` null = no link. */
export function messagePage(title: string, message: string, back: string | null): HtmlPage {
  const link = back === null ? null : html`\n<p><a href="${back}">See the budget as it is now</a></p>`;
  return pageOf(title, html`<h1>${title}</h1>\n<p>${message}</p>${link}`);
}

const ANSWER_PATH = /^\/p\/([\w-]{43})\/(?:accept|decline|request-change)$/;

/** The link from the path of accept or decline to its budget, relative to that path; null = another path. */
export function wayBackFrom(path: string): string | null {
  const token = ANSWER_PATH.exec(path)?.[1];
  return token === undefined ? null : `../${token}`;
}

/** The page of a one-time token: a form for a new password. The form's address is relative to the page. */
export function passwordPage(token: string): HtmlPage {
  return pageOf(
    "Set your password",
    html`<h1>Set your password</h1>
<form method="post" action="password-page">
<input type="hidden" name="token" value="${token}">
<label for="password">New password, of ${MIN_PASSWORD_LENGTH} characters or more</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="${MIN_PASSWORD_LENGTH}" maxlength="1024" required>
<button type="submit">Set password</button>
</form>`,
  );
}
