import type { PublicBudgetView } from "../../budgets/sharing/public-link.js";
import { type Html, html, pageOf } from "./html.js";

const STATUS_WORDS: Readonly<Record<PublicBudgetView["status"], string>> = {
  DRAFT: "Being prepared",
  PENDING: "Waiting for your answer",
  APPROVED: "Accepted",
  REJECTED: "Declined",
  EXPIRED: "Expired",
  COMPLETED: "Completed",
  ARCHIVED: "Archived",
  DELETED: "Withdrawn",
};

/** The page of a public link: the budget and, while it is pending, the forms to accept or decline it. */
export function budgetPage(view: PublicBudgetView): string {
  const money = moneyFormat(view.currency);
  return pageOf(
    `Budget ${view.id}`,
    html`${
      view.business.name === null
        ? null
        : html`<p class="business">${view.business.name}</p>
`
    }<h1>Budget ${view.id}</h1>
<p><span class="status">${statusWords(view)}</span></p>
${acceptanceNote(view, money)}
<dl>
${fact("For", view.customer.name)}
${fact("Issued", dateWords(view.issueDate))}
${fact("Valid until", view.validUntil === null ? null : dateWords(view.validUntil))}
${fact("To confirm, pay at least", amountOrNull(view.minimumPaymentToConfirm, money))}
${fact("Paid so far", view.paid === 0 ? null : money(view.paid))}
</dl>
${itemTable(view, money)}
${view.notes === null || view.notes === "" ? null : html`<h2>Notes</h2>\n<p class="notes">${view.notes}</p>`}
${view.availableActions.includes("accept") ? acceptForm(view) : null}
${view.availableActions.includes("decline") ? declineForm(view) : null}`,
  );
}

function statusWords({ status, acceptance }: PublicBudgetView): string {
  return acceptance === null ? STATUS_WORDS[status] : "Accepted, waiting for your payment";
}

/** Shown after an acceptance, until the minimum payment is complete. */
function acceptanceNote({ acceptance, dueToConfirm }: PublicBudgetView, money: Format): Html | null {
  if (acceptance === null || dueToConfirm === null) return null;
  return html`<p>Your acceptance of ${dateWords(acceptance.acceptedAt)} was recorded. The budget is confirmed once another ${money(dueToConfirm)} has been paid.</p>`;
}

/** The error page, with a link back to the budget; `back` null = no link. */
export function messagePage(title: string, message: string, back: string | null): string {
  const link = back === null ? null : html`\n<p><a href="${back}">See the budget as it is now</a></p>`;
  return pageOf(title, html`<h1>${title}</h1>\n<p>${message}</p>${link}`);
}

const ANSWER_PATH = /^\/p\/([\w-]{43})\/(?:accept|decline)$/;

/** The link from the path of accept or decline to its budget, relative to that path; null = another path. */
export function wayBackFrom(path: string): string | null {
  const token = ANSWER_PATH.exec(path)?.[1];
  return token === undefined ? null : `../${token}`;
}

function fact(term: string, description: string | null): Html | null {
  return description === null ? null : html`<dt>${term}</dt><dd>${description}</dd>`;
}

type Format = (amount: number) => string;

function itemTable(view: PublicBudgetView, money: Format): Html {
  const rows = view.items.map(
    (item) => html`<tr>
<td>${item.description}</td>
<td class="number">${item.quantity}</td>
<td class="number">${money(item.unitPrice)}</td>
<td class="number">${money(item.total)}</td>
</tr>
`,
  );
  return html`<h2>Items</h2>
<div class="scroll">
<table>
<thead><tr><th scope="col">Description</th><th scope="col" class="number">Quantity</th><th scope="col" class="number">Price</th><th scope="col" class="number">Amount</th></tr></thead>
<tbody>
${rows}</tbody>
<tfoot>
${sumRow("Subtotal", money(view.subtotal))}
${view.discount === 0 ? null : sumRow("Discount", money(-view.discount))}
${sumRow("Tax", money(view.tax))}
${sumRow("Total", money(view.total))}
</tfoot>
</table>
</div>`;
}

function sumRow(label: string, amount: string): Html {
  return html`<tr><th scope="row" colspan="3">${label}</th><td class="number">${amount}</td></tr>`;
}

function acceptForm(view: PublicBudgetView): Html {
  return html`<form method="post" action="${actionOf(view, "accept")}">
<h2>Accept this budget</h2>
<input type="hidden" name="version" value="${view.version}">
<label for="accept-name">Your name</label>
<input id="accept-name" name="name" autocomplete="name" maxlength="255" required>
<button type="submit">Accept</button>
</form>`;
}

function declineForm(view: PublicBudgetView): Html {
  return html`<form method="post" action="${actionOf(view, "decline")}">
<h2>Decline this budget</h2>
<input type="hidden" name="version" value="${view.version}">
<label for="decline-name">Your name</label>
<input id="decline-name" name="name" autocomplete="name" maxlength="255" required>
<label for="decline-reason">Reason (optional)</label>
<textarea id="decline-reason" name="reason" rows="3" maxlength="2000"></textarea>
<button type="submit">Decline</button>
</form>`;
}

/** The path alone, so that the form goes to the host name that the browser used. */
function actionOf(view: PublicBudgetView, answer: "accept" | "decline"): string {
  return `${new URL(view.publicUrl).pathname}/${answer}`;
}

/** Formats amounts with the currency code and its decimals; a unit price may have up to six. */
function moneyFormat(currency: string): Format {
  const format = new Intl.NumberFormat("en", {
    style: "currency",
    currency,
    currencyDisplay: "code",
    maximumFractionDigits: 6,
  });
  return (amount) => format.format(amount);
}

function amountOrNull(amount: number | null, money: Format): string | null {
  return amount === null ? null : money(amount);
}

const dates = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });

function dateWords(timestamp: string): string {
  return `${dates.format(new Date(timestamp))} (UTC)`;
}
