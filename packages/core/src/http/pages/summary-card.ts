import { customerNameIn } from "../../kernel/actor.js";
import { answerSteps, paymentState } from "./answer-steps.js";
import { FEW_DAYS } from "./budget-document.js";
import { type Html, html } from "./html.js";
import { isolatedIn } from "./isolate.js";
import { updateButton } from "./line-controls.js";
import { amountSize } from "./number-formats.js";
import { businessOf, type PageContent } from "./page-content.js";
import { chip, icon } from "./page-icons.js";

/** What the offer costs, where it stands and what its reader can do now. It stands first on the page. */
export function summaryCard(content: PageContent): Html {
  return html`<section class="card summary" aria-label="${content.words.total}">
${bodyOf(content)}</section>`;
}

function bodyOf(content: PageContent): Html {
  const { view } = content;
  switch (view.status) {
    case "DRAFT":
    case "PENDING":
      return view.acceptance === null ? waiting(content) : answerSteps(content);
    case "APPROVED":
    case "COMPLETED":
    case "ARCHIVED":
      return paymentState(content);
    case "REJECTED":
      return declined(content);
    case "EXPIRED":
      return expired(content);
    case "DELETED":
      return chip("bad", "cross", content.words.status.DELETED);
  }
}

function waiting(content: PageContent): Html {
  const { view, words } = content;
  const accepts = view.availableActions.includes("accept");
  const asks = view.changeRequest !== undefined;
  const label = asks ? words.acceptAnyway : words.acceptQuote;
  return html`${stateOf(content)}
${amountOf(content)}
${updateButton(content)}${validity(content)}
${formerAcceptance(content)}
${accepts ? html`<a class="button ${asks ? "secondary" : "primary"}" href="#accept">${label}</a>\n` : null}
${sideButtons(content)}
${newAnswer(content)}
${otherAnswers(content)}`;
}

/** Nothing while the card asks for the first answer. */
function stateOf(content: PageContent): Html | null {
  const { view, words, formats } = content;
  if (view.status === "DRAFT") return chip("past", "clock", words.status.DRAFT);
  if (view.changeRequest === undefined) return null;
  const { message, requestedAt } = view.changeRequest;
  return html`${chip("warn", "message", words.changeWanted)}
<h2>${words.preparesVersion(businessOf(content))}</h2>
<p class="quiet">${words.changeAsked(formats.moment(requestedAt))}</p>
<p class="quote lines" dir="auto">${message}</p>
`;
}

/** The code of the currency is smaller than the amount. */
function amountOf({ document, view, formats }: PageContent): Html {
  const parts = formats.moneyParts(view.total);
  const amount = parts.map(({ isCode, text }) => (isCode ? html`<span class="code">${text}</span>` : html`${text}`));
  return html`<p class="label">${document.sum.term}</p>
<p class="amount ${amountSize(parts)}"><bdi>${amount}</bdi></p>
`;
}

function validity({ view: { validUntil }, words, formats }: PageContent): Html | null {
  if (validUntil === null) return null;
  const days = formats.daysUntil(validUntil);
  const left =
    days < 0 || days > FEW_DAYS ? null : html` <span class="nowrap">(${formats.distance(validUntil)})</span>`;
  return html`<p class="until">${words.validUntil} <strong>${formats.day(validUntil)}</strong>${left}</p>\n`;
}

/** A reopened or revised offer never hides what was accepted before. */
function formerAcceptance({ view: { acceptedBefore }, words, formats, path }: PageContent): Html | null {
  if (acceptedBefore === undefined) return null;
  const { revision, total, acceptedAt, acceptedBy } = acceptedBefore;
  const text = words.acceptedBefore(String(revision), formats.money(total), formats.day(acceptedAt));
  const isOwn = customerNameIn(acceptedBy) !== null; // the business's acceptance in their place has no proof here
  const proof = isOwn ? html` <a href="${path}/evidence.json" download>${words.evidence}</a>` : null;
  return html`<p class="sunken">${icon("check")} <span>${text}${proof}</span></p>\n`;
}

/** Beside each other, below the answer. */
function sideButtons({ path, query, words, hasPdf }: PageContent): Html {
  return html`<p class="buttons">${hasPdf ? html`<a class="button" href="${path}.pdf${query}">${icon("file")} ${words.openPdf}</a>` : null}<a class="button" href="#ask">${icon("message")} ${words.ask}</a></p>\n`;
}

/** The business has written last. */
function newAnswer({ view: { messages = [] }, words }: PageContent): Html | null {
  const last = messages.at(-1);
  if (last === undefined || last.from === "customer") return null;
  return html`<p class="sunken">${icon("message")} <span><a href="#ask">${words.conversation}</a>: <bdi>${excerptOf(last.message)}</bdi></span></p>\n`;
}

const EXCERPT = 80;

function excerptOf(message: string): string {
  const characters = [...message.replace(/\s+/g, " ")];
  return characters.length <= EXCERPT ? characters.join("") : `${characters.slice(0, EXCERPT).join("")}…`;
}

function otherAnswers({ view: { availableActions }, words }: PageContent): Html | null {
  const change = availableActions.includes("requestChange") ? html`<a href="#change">${words.change}</a>` : null;
  const decline = availableActions.includes("decline") ? html`<a href="#decline">${words.decline}</a>` : null;
  return change === null && decline === null ? null : html`<p class="others">${change}${decline}</p>\n`;
}

function declined(content: PageContent): Html {
  const { words } = content;
  const business = businessOf(content);
  return html`${chip("bad", "cross", words.status.REJECTED)}
<h2>${words.declinedTitle}</h2>
${refusal(content)}<p class="quiet">${words.declinedAbout(business)}</p>
${formerAcceptance(content)}
<a class="button" href="#ask">${icon("message")} ${words.writeTo(business)}</a>
`;
}

/** Who has given no name is "customer". */
function refusal({ view: { declined }, words, formats, document }: PageContent): Html | null {
  if (declined === undefined) return null;
  const given = customerNameIn(declined.declinedBy);
  const name = given === null || given === "customer" ? null : isolatedIn(document.direction, given);
  return html`<p class="quiet">${words.declined(name, formats.moment(declined.declinedAt))}</p>
${
  declined.reason === undefined
    ? null
    : html`<p class="quote lines" dir="auto">${declined.reason}</p>
`
}`;
}

function expired(content: PageContent): Html {
  const { words, view, formats } = content;
  const business = businessOf(content);
  const { validUntil } = view;
  const title =
    validUntil === null || formats.daysUntil(validUntil) > 0 ? null : words.expiredTitle(formats.day(validUntil));
  return html`${chip("past", "hourglass", words.status.EXPIRED)}
${title === null ? null : html`<h2>${title}</h2>\n`}<p class="quiet">${words.expiredAbout(business)}</p>
<div class="former">${amountOf(content)}</div>
${formerAcceptance(content)}
<a class="button primary" href="#ask">${words.askToRenew}</a>
`;
}
