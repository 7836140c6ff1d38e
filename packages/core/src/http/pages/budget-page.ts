import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import type { Instant } from "../../kernel/clock.js";
import { isConfigurable } from "../../pricing/selection.js";
import { answerForms } from "./answer-forms.js";
import { budgetDocument, documentSource } from "./budget-document.js";
import { budgetRow } from "./budget-rows.js";
import { configuredRows, configuredTotals } from "./configured-offer.js";
import { configuredStyle } from "./configured-style.js";
import type { DocumentText } from "./document-parts.js";
import { documentsList } from "./documents-list.js";
import { type Html, type HtmlPage, html, pageOf, type UnsavedPage } from "./html.js";
import { isolatedIn } from "./isolate.js";
import { liveOffer } from "./live-offer.js";
import { messageThread } from "./message-thread.js";
import { businessOf, type PageContent, type RefusedForm } from "./page-content.js";
import { pageFormats } from "./page-formats.js";
import { contacts, heading, pageHeader } from "./page-header.js";
import { seenMark } from "./page-images.js";
import type { LanguageWishes } from "./page-language.js";
import { type PublicPageOptions, propertiesOf } from "./page-options.js";
import { pageScript } from "./page-script.js";
import { wordsOf } from "./page-words.js";
import { pricedOffer } from "./priced-offer.js";
import { summaryCard } from "./summary-card.js";
import { versionNote } from "./version-note.js";

/** What the page shows besides the budget. */
export interface PageParts {
  readonly hasPdf?: boolean; // whether the service makes PDFs
  readonly hasChanged?: boolean; // the customer has answered an offer that is no longer this one
  readonly isRecalculated?: boolean; // the selection comes to another total than the customer has read
  readonly isNotOffered?: boolean; // the customer has set what the offer does not leave open
  readonly openChoices?: readonly string[]; // keys of choices that an acceptance left without a selection
  readonly channel?: string | null; // how the link was sent, by its own word; null = it does not say
  readonly refused?: RefusedForm | null; // a form that could not be sent; null = none
  readonly unsaved?: UnsavedPage | null; // what leads to a link leads nowhere, and nothing counts a view; null = it has one
}

/** The page of a public link: what the offer costs and how to answer it, then the offer, the forms and the messages. */
export function budgetPage(
  view: PublicBudgetView,
  wishes: Omit<LanguageWishes, "own">,
  now: Instant,
  {
    hasPdf = false,
    hasChanged = false,
    isRecalculated = false,
    isNotOffered = false,
    channel = null,
    refused = null,
    openChoices = [],
    unsaved = null,
  }: PageParts = {},
  { words: texts = {}, style = {} }: PublicPageOptions = {},
): HtmlPage {
  const document = budgetDocument(view, wishes, now, texts);
  const { language, locale } = document;
  const query = wishes.asked === null ? "" : `?lang=${encodeURIComponent(wishes.asked)}`;
  const formats = pageFormats({ locale, currency: view.currency, timeZone: view.business.timeZone }, now);
  const words = wordsOf(language, texts[language]);
  const parts = { view, document, words, formats, path: pathOf(view), query, channel, hasPdf, refused, unsaved };
  const content = { ...parts, configuration: configurationOf(parts, openChoices) };
  const base = content.path.replace(LAST_SEGMENT, "");
  const markup = html`${pageHeader(content)}
${heading(content)}
${summaryCard(content)}
<div class="body">
${hasChanged ? html`<p class="error" role="alert">${words.changed}</p>` : null}${isRecalculated ? html`<p class="error" role="alert">${words.recalculated}</p>` : null}${isNotOffered ? html`<p class="error" role="alert">${words.notOffered}</p>` : null}
${versionNote(content)}
${itemTable(content)}
${content.configuration === null ? totals(content) : configuredTotals(content.configuration, content)}
${document.texts.map(textSection)}
${documentsList(content)}
${answerForms(content)}
${messageThread(content)}
${contacts(content)}
</div>
${bar(content)}
${
  unsaved === null
    ? html`${pageScript(base)}${liveOffer(content, base)}
${seenMark(content.path, channel)}`
    : null
}`;
  return pageOf(titleOf(content), markup, language, document.accentColor ?? style.accentColor, {
    properties: propertiesOf(style) + configuredStyle(view),
    preview: previewOf(content),
    unsaved,
  });
}

/** Null = the customer decides on no line, or no longer. */
function configurationOf(
  { view, document, words, formats }: Omit<PageContent, "configuration">,
  openChoices: readonly string[],
): PageContent["configuration"] {
  const { acceptance, availableActions, items } = view;
  if (acceptance !== null || !availableActions.includes("accept") || !items.some(isConfigurable)) return null;
  return { source: documentSource(view, document.language, words, formats), offer: pricedOffer(view), openChoices };
}

function itemTable(content: PageContent): Html {
  const { itemsTitle, columns, rows } = content.document;
  const column = (title: string, kind: string | null) =>
    html`<th scope="col" role="columnheader"${kind === null ? null : html` class="${kind}"`}>${title}</th>`;
  const isTitled = rows[0]?.kind !== "heading"; // else the first section says what follows
  return html`<h2${isTitled ? null : html` class="unseen"`}>${itemsTitle}</h2>
<table role="table">
<thead role="rowgroup"><tr role="row">${column(columns.description, null)}${column(`${columns.quantity} × ${columns.price}`, "number")}${column(columns.amount, "number")}</tr></thead>
<tbody role="rowgroup">
${content.configuration === null ? rows.map(budgetRow) : configuredRows(content)}</tbody>
</table>`;
}

/** In a block of their own, so that no width cuts them off. */
function totals({ document }: PageContent): Html {
  const sums = document.totals.map(
    ({ kind, term, amount }) =>
      html`<div${kind === "total" ? html` class="total"` : null}><dt>${term}</dt><dd><bdi>${amount}</bdi></dd></div>\n`,
  );
  return html`<dl class="totals">\n${sums}</dl>`;
}

function textSection({ title, text }: DocumentText): Html {
  return html`<h2>${title}</h2>\n<p class="lines" dir="auto">${text}</p>\n`;
}

/** On a phone, at the end of the window while the card is out of sight: only a script knows when. */
function bar({ view, document, words }: PageContent): Html | null {
  if (!view.availableActions.includes("accept")) return null;
  return html`<div class="bar" hidden><p><span class="label">${document.sum.term}</span><strong><bdi>${document.sum.amount}</bdi></strong></p><a class="button primary" href="#accept">${words.accept}</a></div>`;
}

function titleOf({ document: { title, seller, direction } }: PageContent): string {
  const parts = seller.name === null ? [title] : [title, seller.name];
  return parts.map((part) => isolatedIn(direction, part)).join(" · ");
}

/** Messengers show it to everybody in a chat: the customer and the total only if the business has said so. */
function previewOf(content: PageContent) {
  const { view, document, words } = content;
  const { showsName = false, showsTotal = false } = view.business.linkPreview ?? {};
  const name =
    showsName && document.customer.name !== null
      ? `${words.for} ${isolatedIn(document.direction, document.customer.name)}`
      : null;
  const parts = [titleOf(content), name, showsTotal ? document.sum.amount : null];
  return {
    title: parts.filter((part) => part !== null).join(" · "),
    site: document.seller.name === null ? null : isolatedIn(document.direction, document.seller.name),
    description: words.preview(businessOf(content)),
  };
}

const LAST_SEGMENT = /\/[^/]*$/;

export function pathOf({ publicUrl }: PublicBudgetView): string {
  return new URL(publicUrl).pathname;
}
