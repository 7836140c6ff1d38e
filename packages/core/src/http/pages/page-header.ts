import { mailLinkOf } from "../../kernel/email-address.js";
import type { BudgetDocument } from "./document-parts.js";
import { type Html, html } from "./html.js";
import type { PageContent } from "./page-content.js";
import { icon } from "./page-icons.js";
import { logoImage } from "./page-images.js";
import { PAGE_LANGUAGES, type PageLanguage } from "./page-language.js";

/** Who makes the offer, and the languages of the page. */
export function pageHeader({ view, document, words, path, channel, unsaved }: PageContent): Html {
  const { seller, language } = document;
  const logo = logoImage(view, path, unsaved);
  return html`<header class="top">
${logo === null ? null : html`<span class="plate">${logo}</span>`}
${seller.name === null ? null : html`<p class="name"><bdi>${seller.name}</bdi></p>`}
${languageList(language, words.language, path, channel)}
</header>`;
}

/** Of the page: each link opens it in another language, by its path, since a refused form has another one. */
function languageList(current: PageLanguage, title: string, path: string, channel: string | null): Html {
  const kept = channel === null ? "" : `&c=${encodeURIComponent(channel)}`;
  const others = PAGE_LANGUAGES.filter((language) => language !== current).map(
    (language) =>
      html`<li><a href="${path}?lang=${language}${kept}" lang="${language}" hreflang="${language}">${nameOf(language)}</a></li>\n`,
  );
  return html`<details class="languages">
<summary>${icon("globe")} <span class="unseen">${title}: </span><span class="long">${nameOf(current)}</span><span class="short">${current.toUpperCase()}</span></summary>
<ul>
${others}</ul>
</details>`;
}

/** Names of the languages in themselves. */
const NAMES: Readonly<Record<PageLanguage, string>> = {
  en: "English",
  es: "Español",
  pt: "Português",
  de: "Deutsch",
  fr: "Français",
  it: "Italiano",
  nl: "Nederlands",
  ja: "日本語",
  ar: "العربية",
  he: "עברית",
};

function nameOf(language: PageLanguage): string {
  return NAMES[language];
}

/** What the page is: a quote, for whom and of when. */
export function heading({ document: { title, customer }, view, words, formats }: PageContent): Html {
  const { name, address, taxId } = customer;
  const details = [taxId, address].filter((line) => line !== null);
  const day = formats.day(view.issueDate);
  const parts = name === null ? day : html`${words.for} <bdi>${name}</bdi> · ${day}`;
  return html`<div class="heading">
<h1>${title}</h1>
<p class="quiet">${parts}</p>
${details.map((line) => html`<p class="small lines" dir="auto">${line}</p>\n`)}</div>`;
}

/** How to reach who makes the offer, at the end of the page. */
export function contacts({ document: { seller, footer }, words }: PageContent): Html | null {
  const { legalName, taxId, address, email, phone, website } = seller;
  const lines = linesOf({ legalName, taxId, address, email, phone, website });
  if (lines.length === 0 && footer === null) return null;
  return html`<footer>
${lines.length === 0 ? null : html`<h2>${words.contact}</h2>\n<address>${lines}</address>`}
${footer === null ? null : html`<p class="lines" dir="auto">${footer}</p>`}
</footer>`;
}

type Contacts = Omit<BudgetDocument["seller"], "name">;

function linesOf({ legalName, taxId, address, email, phone, website }: Contacts): Html[] {
  const line = (content: Html) => html`<div>${content}</div>\n`;
  const text = (given: string | null) =>
    given === null ? [] : [line(html`<span class="lines" dir="auto">${given}</span>`)];
  return [
    ...text(legalName),
    ...text(taxId),
    ...text(address),
    ...(email === null ? [] : [line(html`<a href="${mailLinkOf(email)}">${email}</a>`)]),
    ...(phone === null ? [] : [line(html`<a href="tel:${phone.replace(/[^\d+]/g, "")}"><bdi>${phone}</bdi></a>`)]),
    ...(website === null ? [] : [line(html`<a href="${website}" rel="noopener noreferrer">${website}</a>`)]),
  ];
}
