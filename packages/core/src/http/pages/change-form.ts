import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import { type Html, html } from "./html.js";
import type { PageFormats } from "./page-formats.js";
import type { PageWords } from "./page-words.js";

/** The third answer beside to accept and to decline: the customer asks for another offer. */
export function changeForm(view: PublicBudgetView, words: PageWords, action: string): Html | null {
  if (!view.availableActions.includes("requestChange")) return null;
  return html`<details>
<summary>${words.change}</summary>
<form method="post" action="${action}">
<input type="hidden" name="version" value="${view.version}">
<label for="change-name">${words.name}</label>
<input id="change-name" name="name" autocomplete="name" maxlength="255" required>
<label for="change-message">${words.changeMessage}</label>
<textarea id="change-message" name="message" rows="4" maxlength="2000" required></textarea>
<button type="submit">${words.changeButton}</button>
</form>
</details>`;
}

interface Parts {
  readonly view: PublicBudgetView;
  readonly words: PageWords;
}

/** Shown until a new revision answers the request. */
export function changeNote({ view: { changeRequest }, words }: Parts, formats: PageFormats): Html | null {
  if (changeRequest === undefined) return null;
  return html`<section class="note" role="status">
<p>${words.changeAsked(formats.moment(changeRequest.requestedAt))}</p>
<p class="lines quiet">${changeRequest.message}</p>
</section>`;
}
