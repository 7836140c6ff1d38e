import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import { type Html, html } from "./html.js";
import type { PageWords } from "./page-words.js";

/** The files of the budget that the customer may download. `path` is that of the link. */
export function attachmentList({ attachments }: PublicBudgetView, words: PageWords, locale: string, path: string) {
  if (attachments === undefined) return null;
  const entries: Html[] = attachments.map(
    ({ id, fileName, size }) =>
      html`<li><a href="${path}/attachments/${id}">${fileName}</a> <span class="quiet">${sizeText(size, locale)}</span></li>\n`,
  );
  return html`<h2>${words.attachments}</h2>
<ul class="files">
${entries}</ul>`;
}

const UNITS = ["byte", "kilobyte", "megabyte"] as const;

function sizeText(bytes: number, locale: string): string {
  const step = bytes < 1_000 ? 0 : bytes < 1_000_000 ? 1 : 2;
  const unit = UNITS[step] ?? "byte";
  const style = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: step } as const;
  return new Intl.NumberFormat(locale, style).format(bytes / 1_000 ** step);
}
