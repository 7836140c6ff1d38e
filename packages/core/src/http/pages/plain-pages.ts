import { MIN_PASSWORD_LENGTH } from "../../access/password-rules.js";
import { type HtmlPage, html, pageOf } from "./html.js";

/** A page with one message. */
export function messagePage(title: string, message: string): HtmlPage {
  return pageOf(title, html`<h1>${title}</h1>\n<p>${message}</p>`);
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
