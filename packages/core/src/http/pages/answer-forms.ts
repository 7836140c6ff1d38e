import { consentText } from "./consent.js";
import { type Html, html } from "./html.js";
import { offeredMarks } from "./line-controls.js";
import { actionOf, type PageContent } from "./page-content.js";
import { nameField, textField } from "./page-fields.js";
import { signaturePad } from "./page-images.js";

/** The forms by which the customer answers the offer. */
export function answerForms(content: PageContent): Html {
  const { availableActions } = content.view;
  return html`${availableActions.includes("accept") ? acceptForm(content) : null}
${availableActions.includes("requestChange") ? changeForm(content) : null}
${availableActions.includes("decline") ? declineForm(content) : null}`;
}

/** What was shown: the service compares it with what is stored. */
function shownFields({ view, document }: PageContent): Html {
  return html`<input type="hidden" name="version" value="${view.version}">
<input type="hidden" name="hash" value="${view.hash}">
<input type="hidden" name="language" value="${document.locale}">`;
}

function acceptForm(content: PageContent): Html {
  const { view, words, formats, document } = content;
  return html`<form method="post" action="${actionOf(content, "accept")}" class="card" id="accept"${content.configuration === null ? null : html` autocomplete="off"`}>
<h2>${words.acceptAbout}</h2>
${shownFields(content)}${offeredMarks(content)}
${nameField(content, "accept")}
${signaturePad(words)}
<p class="quiet consent">${consentText(view, words, document.locale)}</p>
<button type="submit" class="primary">${words.acceptFor(formats.money(view.total))}</button>
</form>`;
}

function changeForm(content: PageContent): Html {
  const { view, words, refused } = content;
  return html`<details${isOpen(refused?.action === "request-change")}>
<summary>${words.change}</summary>
<form method="post" action="${actionOf(content, "request-change")}" id="change">
<input type="hidden" name="version" value="${view.version}">
${nameField(content, "request-change")}
${textField(content, "request-change", { name: "message", label: words.changeMessage, rows: 4, isRequired: true })}
<button type="submit">${words.changeButton}</button>
</form>
</details>`;
}

function declineForm(content: PageContent): Html {
  const { words, refused } = content;
  return html`<details${isOpen(refused?.action === "decline")}>
<summary>${words.decline}</summary>
<form method="post" action="${actionOf(content, "decline")}" id="decline">
${shownFields(content)}
${nameField(content, "decline")}
${textField(content, "decline", { name: "reason", label: words.reason, rows: 3, isRequired: false })}
<button type="submit">${words.declineButton}</button>
</form>
</details>`;
}

function isOpen(isShown: boolean): Html | null {
  return isShown ? html` open` : null;
}
