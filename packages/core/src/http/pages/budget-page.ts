import type { PublicBudgetView } from "../../budgets/sharing/public-link.js";
import type { Instant } from "../../kernel/clock.js";
import { lineRow } from "./budget-lines.js";
import { type Html, html, type Page, pageOf } from "./html.js";
import { type PageFormats, pageFormats } from "./page-formats.js";
import { formatLocale, type LanguageWishes, pageLanguage } from "./page-language.js";
import { PAGE_WORDS, type PageWords } from "./page-words.js";

/** What the parts of a page share. */
interface Parts {
  readonly view: PublicBudgetView;
  readonly words: PageWords;
  readonly formats: PageFormats;
  readonly query: string; // keeps the language of the link in the forms
}

/** The page of a public link: the budget and, while it is pending, the forms to accept or decline it. */
export function budgetPage(view: PublicBudgetView, wishes: Omit<LanguageWishes, "own">, now: Instant): Page {
  const { business, currency } = view;
  const language = pageLanguage({ ...wishes, own: business.locale });
  const locale = formatLocale(language, business.locale);
  const formats = pageFormats({ locale, currency, timeZone: business.timeZone }, now);
  const query = wishes.asked === null ? "" : `?lang=${encodeURIComponent(wishes.asked)}`;
  const parts = { view, words: PAGE_WORDS[language], formats, query };
  const content = html`${sellerHeader(parts)}
${heading(parts)}
${answerNote(parts)}
${itemTable(parts)}
${totals(parts)}
${textSection(parts.words.notes, view.notes)}
${textSection(parts.words.terms, business.terms)}
${view.availableActions.includes("accept") ? acceptForm(parts) : null}
${view.availableActions.includes("decline") ? declineForm(parts) : null}
${business.footer === null ? null : html`<footer class="lines">${business.footer}</footer>`}`;
  return pageOf(`${parts.words.budget} ${view.id}`, content, language, business.accentColor);
}

function sellerHeader({ view: { business }, words }: Parts): Html {
  const { name, legalName, taxId, address, email, phone, website } = business;
  const contacts = [
    address === null ? null : html`<span class="lines">${address}</span>`,
    email === null ? null : html`<a href="mailto:${email}">${email}</a>`,
    phone === null ? null : html`<span>${phone}</span>`,
    website === null ? null : html`<a href="${website}" rel="noopener noreferrer">${website}</a>`,
  ].filter((line) => line !== null);
  return html`<header class="seller">
<div>${name === null ? null : html`<p class="name">${name}</p>`}
${legalName === null ? null : html`<p class="quiet">${legalName}</p>`}
${taxId === null ? null : html`<p class="quiet">${words.taxId} ${taxId}</p>`}</div>
${contacts.length === 0 ? null : html`<address>${contacts.map((line) => html`<div>${line}</div>`)}</address>`}
</header>`;
}

function heading({ view, words, formats }: Parts): Html {
  const { status, acceptance, validUntil, customer } = view;
  const until =
    validUntil === null
      ? null
      : status === "PENDING"
        ? `${formats.day(validUntil)} (${formats.distance(validUntil)})`
        : formats.day(validUntil);
  return html`<h1>${words.budget} ${view.id}</h1>
<p><span class="status">${acceptance === null ? words.status[status] : words.awaitsPayment}</span></p>
<dl class="facts">
${fact(words.for, customer.name)}
${fact(words.issued, formats.day(view.issueDate))}
${fact(words.validUntil, until)}
</dl>`;
}

function fact(term: string, description: string | null): Html | null {
  return description === null ? null : html`<div><dt>${term}</dt><dd>${description}</dd></div>`;
}

/** Shown once the customer has accepted: who, when, and what comes next. */
function answerNote({ view, words, formats }: Parts): Html | null {
  const { acceptance, approval, dueToConfirm, business, status } = view;
  const answer = acceptance ?? approval;
  if (answer === null || status === "REJECTED") return null;
  const due = acceptance === null || dueToConfirm === null ? null : formats.money(dueToConfirm);
  return html`<section class="note" role="status">
<p><strong>${words.thanks}</strong> ${words.accepted(customerIn(answer.acceptedBy), formats.moment(answer.acceptedAt))}</p>
${due === null ? null : html`<p>${words.confirmedOncePaid(due)}</p>`}
${business.paymentInstructions === null ? null : html`<h2>${words.payment}</h2>\n<p class="lines">${business.paymentInstructions}</p>`}
</section>`;
}

const CUSTOMER = "customer:";

/** The name of a customer; null = the business accepted on the customer's behalf. */
function customerIn(label: string): string | null {
  return label.startsWith(CUSTOMER) ? label.slice(CUSTOMER.length) : null;
}

function itemTable({ view, words, formats }: Parts): Html {
  const rows = view.items.map((line) => lineRow(line, words, formats));
  const column = (title: string, kind: string | null) =>
    html`<th scope="col" role="columnheader"${kind === null ? null : html` class="${kind}"`}>${title}</th>`;
  return html`<h2>${words.items}</h2>
<table role="table">
<thead role="rowgroup"><tr role="row">${column(words.description, null)}${column(words.quantity, "number")}${column(words.price, "number")}${column(words.amount, "number")}</tr></thead>
<tbody role="rowgroup">
${rows}</tbody>
</table>`;
}

/** In a block of their own, so that no width cuts them off. */
function totals({ view, words, formats }: Parts): Html {
  const { subtotal, discount, tax, taxRate, total, paid, minimumPaymentToConfirm } = view;
  const taxName = taxRate === null ? words.tax : `${words.tax} (${formats.rate(taxRate)})`;
  return html`<dl class="totals">
${sum(words.subtotal, formats.money(subtotal))}
${discount === 0 ? null : sum(words.discount, formats.money(-discount))}
${sum(taxName, formats.money(tax))}
<div class="total"><dt>${words.total}</dt><dd>${formats.money(total)}</dd></div>
${minimumPaymentToConfirm === null ? null : sum(words.toConfirm, formats.money(minimumPaymentToConfirm))}
${paid === 0 ? null : sum(words.paid, formats.money(paid))}
</dl>`;
}

function sum(term: string, amount: string): Html {
  return html`<div><dt>${term}</dt><dd>${amount}</dd></div>`;
}

function textSection(title: string, text: string | null): Html | null {
  return text === null || text === "" ? null : html`<h2>${title}</h2>\n<p class="lines">${text}</p>`;
}

function acceptForm(parts: Parts): Html {
  const { view, words } = parts;
  return html`<form method="post" action="${actionOf(parts, "accept")}">
<h2>${words.acceptAbout}</h2>
<input type="hidden" name="version" value="${view.version}">
<label for="accept-name">${words.name}</label>
<input id="accept-name" name="name" autocomplete="name" maxlength="255" required>
<p class="quiet">${words.consent(view.business.name ?? view.business.legalName ?? "")}</p>
<button type="submit" class="primary">${words.accept}</button>
</form>`;
}

function declineForm(parts: Parts): Html {
  const { view, words } = parts;
  return html`<details>
<summary>${words.decline}</summary>
<form method="post" action="${actionOf(parts, "decline")}">
<input type="hidden" name="version" value="${view.version}">
<label for="decline-name">${words.name}</label>
<input id="decline-name" name="name" autocomplete="name" maxlength="255" required>
<label for="decline-reason">${words.reason}</label>
<textarea id="decline-reason" name="reason" rows="3" maxlength="2000"></textarea>
<button type="submit">${words.declineButton}</button>
</form>
</details>`;
}

/** The path alone, so that the form goes to the host name that the browser used. */
function actionOf({ view, query }: Parts, answer: "accept" | "decline"): string {
  return `${new URL(view.publicUrl).pathname}/${answer}${query}`;
}
