import { customerNameIn } from "../../kernel/actor.js";
import { type Html, html } from "./html.js";
import { isolatedIn } from "./isolate.js";
import type { PageContent } from "./page-content.js";
import { chip, icon } from "./page-icons.js";
import { drawnSignature } from "./page-images.js";

/** After an acceptance that waits for a payment: the steps to the end, with what is to be done now. */
export function answerSteps(content: PageContent): Html {
  const { view, words, formats, document } = content;
  const due = view.dueToConfirm ?? 0;
  const { payable = view.total } = view;
  const balance = payable - Math.max(view.minimumPaymentToConfirm ?? 0, view.paid);
  return html`${chip("good", "check", words.status.APPROVED)}
<h2>${thanks(content)}</h2>
<ol class="steps">
<li class="past"><strong>${words.status.APPROVED}</strong><span class="quiet">${acceptedBy(content)}</span>${drawnSignature(view.signature, words)}</li>
<li class="now"><strong>${words.deposit} <bdi class="sum">${formats.price(due)}</bdi></strong><span class="quiet">${document.answer?.due ?? words.depositAbout}</span>
${howToPay(content, formats.price(due))}</li>
<li><strong>${words.confirmed}</strong></li>
<li><strong>${words.status.COMPLETED}</strong>${balance <= 0 ? null : html`<span class="quiet">${words.balance}: <bdi>${formats.price(balance)}</bdi></span>`}</li>
</ol>
${view.availableActions.includes("accept") ? html`<a class="button primary" href="#accept">${words.acceptQuote}</a>\n` : null}${furtherAnswer(content)}`;
}

/** Once nothing holds the offer back: what was paid, and what is left to pay. */
export function paymentState(content: PageContent): Html {
  const { view, words, formats } = content;
  const isDone = view.status !== "APPROVED";
  const { payable = view.total } = view;
  const balance = payable - view.paid;
  const word = isDone ? words.status[view.status] : view.paid > 0 ? words.confirmed : words.status.APPROVED;
  return html`${chip(isDone ? "done" : "good", "check", word)}
<h2>${thanks(content)}</h2>
<p class="quiet">${acceptedBy(content)}</p>
${drawnSignature(view.signature, words)}
${view.paid > 0 ? html`<progress value="${view.paid}" max="${payable}" aria-label="${words.paid}"></progress>\n` : null}
<dl class="state">
<div><dt>${words.total}</dt><dd><bdi>${formats.money(view.total)}</bdi></dd></div>
${view.payable === undefined ? null : html`<div><dt>${words.payable}</dt><dd><bdi>${formats.price(view.payable)}</bdi></dd></div>\n`}${view.paid > 0 ? html`<div><dt>${words.paid}</dt><dd><bdi>${formats.price(view.paid)}</bdi></dd></div>\n` : null}
${view.paid > 0 && balance > 0 ? html`<div class="rest"><dt>${words.balance}</dt><dd><bdi>${formats.price(balance)}</bdi></dd></div>\n` : null}
</dl>
${balance > 0 ? howToPay(content, formats.price(balance)) : html`<p class="quiet">${words.allPaid}</p>\n`}`;
}

/** By the link of the business, if there is one, and in its own words. */
function howToPay({ view: { paymentUrl }, words, document }: PageContent, amount: string): Html | null {
  const instructions = document.answer?.payment ?? null;
  if (paymentUrl === undefined && instructions === null) return null;
  return html`${paymentUrl === undefined ? null : html`<a class="button primary" href="${paymentUrl}" rel="noopener noreferrer">${icon("card")} ${words.pay(amount)}</a>\n`}
${instructions === null ? null : html`<div class="sunken"><p class="lines" dir="auto"><strong>${instructions.title}.</strong> ${instructions.text}</p></div>\n`}`;
}

function thanks({ view, words, document }: PageContent): string {
  const answer = view.acceptance ?? view.approval;
  const name = answer === null ? null : customerNameIn(answer.acceptedBy);
  return name === null ? words.thanks : words.thanksTo(isolatedIn(document.direction, name));
}

function acceptedBy({ view, words, formats, document }: PageContent): string | null {
  const answer = view.acceptance ?? view.approval;
  if (answer === null) return null;
  const name = customerNameIn(answer.acceptedBy);
  return words.accepted(name === null ? null : isolatedIn(document.direction, name), formats.moment(answer.acceptedAt));
}

function furtherAnswer({ view: { availableActions }, words }: PageContent): Html | null {
  return availableActions.includes("decline")
    ? html`<p class="others"><a href="#decline">${words.decline}</a></p>\n`
    : null;
}
