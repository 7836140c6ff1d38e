import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import type { Instant } from "../../kernel/clock.js";
import { mailLinkOf } from "../../kernel/email-address.js";
import { attachmentList } from "./attachment-list.js";
import { type BudgetDocument, budgetDocument, consentText, type DocumentText } from "./budget-document.js";
import { budgetRow } from "./budget-rows.js";
import { changeForm, changeNote } from "./change-form.js";
import { type Html, type HtmlPage, html, pageOf } from "./html.js";
import { pageFormats } from "./page-formats.js";
import { drawnSignature, logoImage, seenMark, signaturePad } from "./page-images.js";
import type { LanguageWishes } from "./page-language.js";
import { type PublicPageOptions, propertiesOf } from "./page-options.js";
import { pageScript } from "./page-script.js";
import { type PageWords, wordsOf } from "./page-words.js";

/** What the parts of a page share. */
interface Parts {
  readonly view: PublicBudgetView;
  readonly document: BudgetDocument;
  readonly words: PageWords;
  readonly path: string; // of the link
  readonly query: string; // keeps the language of the link in the forms
}

/** What the page shows besides the budget. */
export interface PageParts {
  readonly hasPdf?: boolean; // whether the service makes PDFs
  readonly hasChanged?: boolean; // the customer has answered an offer that is no longer this one
  readonly channel?: string | null; // how the link was sent, by its own word; null = it does not say
}

/** The page of a public link: the budget and, while it is pending, the forms to accept or decline it. */
export function budgetPage(
  view: PublicBudgetView,
  wishes: Omit<LanguageWishes, "own">,
  now: Instant,
  { hasPdf = false, hasChanged = false, channel = null }: PageParts = {},
  { words: texts = {}, style = {} }: PublicPageOptions = {},
): HtmlPage {
  const document = budgetDocument(view, wishes, now, texts);
  const query = wishes.asked === null ? "" : `?lang=${encodeURIComponent(wishes.asked)}`;
  const { language, locale } = document;
  const path = pathOf(view);
  const parts = { view, document, words: wordsOf(language, texts[language]), path, query };
  const formats = pageFormats({ locale, currency: view.currency, timeZone: view.business.timeZone }, now);
  const content = html`${sellerHeader(parts)}
${heading(parts)}
${hasChanged ? html`<p class="note" role="alert">${parts.words.changed}</p>` : null}
${answerNote(parts)}
${changeNote(parts, formats)}
${itemTable(parts)}
${totals(parts)}
${document.texts.map(textSection)}
${attachmentList(view, parts.words, locale, path)}
${hasPdf ? pdfLink(parts) : null}
${view.availableActions.includes("accept") ? acceptForm(parts) : null}
${changeForm(view, parts.words, actionOf(parts, "request-change"))}
${view.availableActions.includes("decline") ? declineForm(parts) : null}
${view.availableActions.length === 0 ? null : pageScript(path.replace(LAST_SEGMENT, ""))}
${document.footer === null ? null : html`<footer class="lines">${document.footer}</footer>`}
${seenMark(path, channel)}`;
  return pageOf(document.title, content, language, document.accentColor ?? style.accentColor, {
    properties: propertiesOf(style),
  });
}

function sellerHeader({ view, path, document: { seller } }: Parts): Html {
  const { name, legalName, taxId, address, email, phone, website } = seller;
  const contacts = [
    address === null ? null : html`<span class="lines">${address}</span>`,
    email === null ? null : html`<a href="${mailLinkOf(email)}">${email}</a>`,
    phone === null ? null : html`<span>${phone}</span>`,
    website === null ? null : html`<a href="${website}" rel="noopener noreferrer">${website}</a>`,
  ].filter((line) => line !== null);
  return html`<header class="seller">
<div>${logoImage(view, path)}${name === null ? null : html`<p class="name">${name}</p>`}
${legalName === null ? null : html`<p class="quiet">${legalName}</p>`}
${taxId === null ? null : html`<p class="quiet">${taxId}</p>`}</div>
${contacts.length === 0 ? null : html`<address>${contacts.map((line) => html`<div>${line}</div>`)}</address>`}
</header>`;
}

function heading({ document: { title, status, facts } }: Parts): Html {
  return html`<h1>${title}</h1>
<p><span class="status">${status}</span></p>
<dl class="facts">
${facts.map(({ term, text }) => html`<div><dt>${term}</dt><dd>${text}</dd></div>\n`)}</dl>`;
}

/** Shown once the customer has accepted. */
function answerNote(parts: Parts): Html | null {
  const { document, view, words } = parts;
  const { answer } = document;
  if (answer === null) return null;
  const { thanks, accepted, due, payment } = answer;
  return html`<section class="note" role="status">
<p><strong>${thanks}</strong> ${accepted}</p>
${drawnSignature(view.signature, words)}
${due === null ? null : html`<p>${due}</p>`}
${payment === null ? null : html`<h2>${payment.title}</h2>\n<p class="lines">${payment.text}</p>`}
${evidenceLink(parts)}</section>`;
}

/** By its path alone, as the forms. */
function evidenceLink({ view: { evidenceUrl }, words }: Parts): Html | null {
  if (evidenceUrl === undefined) return null;
  return html`<p><a href="${new URL(evidenceUrl).pathname}" download>${words.evidence}</a></p>\n`;
}

function itemTable({ document: { itemsTitle, columns, rows } }: Parts): Html {
  const column = (title: string, kind: string | null) =>
    html`<th scope="col" role="columnheader"${kind === null ? null : html` class="${kind}"`}>${title}</th>`;
  return html`<h2>${itemsTitle}</h2>
<table role="table">
<thead role="rowgroup"><tr role="row">${column(columns.description, null)}${column(columns.quantity, "number")}${column(columns.price, "number")}${column(columns.amount, "number")}</tr></thead>
<tbody role="rowgroup">
${rows.map(budgetRow)}</tbody>
</table>`;
}

/** In a block of their own, so that no width cuts them off. */
function totals({ document }: Parts): Html {
  const sums = document.totals.map(
    ({ kind, term, amount }) =>
      html`<div${kind === "total" ? html` class="total"` : null}><dt>${term}</dt><dd>${amount}</dd></div>\n`,
  );
  return html`<dl class="totals">\n${sums}</dl>`;
}

function textSection({ title, text }: DocumentText): Html {
  return html`<h2>${title}</h2>\n<p class="lines">${text}</p>\n`;
}

function pdfLink({ path, words, query }: Parts): Html {
  return html`<p><a href="${path}.pdf${query}">${words.openPdf}</a></p>`;
}

/** What was shown: the service compares it with what is stored. */
function shownFields({ view, document }: Parts): Html {
  return html`<input type="hidden" name="version" value="${view.version}">
<input type="hidden" name="hash" value="${view.hash}">
<input type="hidden" name="language" value="${document.language}">`;
}

function acceptForm(parts: Parts): Html {
  const { view, words } = parts;
  return html`<form method="post" action="${actionOf(parts, "accept")}">
<h2>${words.acceptAbout}</h2>
${shownFields(parts)}
<label for="accept-name">${words.name}</label>
<input id="accept-name" name="name" autocomplete="name" maxlength="255" required>
${signaturePad(words)}
<p class="quiet">${consentText(view, words)}</p>
<button type="submit" class="primary">${words.accept}</button>
</form>`;
}

function declineForm(parts: Parts): Html {
  const { words } = parts;
  return html`<details>
<summary>${words.decline}</summary>
<form method="post" action="${actionOf(parts, "decline")}">
${shownFields(parts)}
<label for="decline-name">${words.name}</label>
<input id="decline-name" name="name" autocomplete="name" maxlength="255" required>
<label for="decline-reason">${words.reason}</label>
<textarea id="decline-reason" name="reason" rows="3" maxlength="2000"></textarea>
<button type="submit">${words.declineButton}</button>
</form>
</details>`;
}

/** The path alone, so that the form goes to the host name that the browser used. */
function actionOf({ path, query }: Parts, answer: "accept" | "decline" | "request-change"): string {
  return `${path}/${answer}${query}`;
}

const LAST_SEGMENT = /\/[^/]*$/;

export function pathOf({ publicUrl }: PublicBudgetView): string {
  return new URL(publicUrl).pathname;
}
