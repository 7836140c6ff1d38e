import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import { type Html, html } from "./html.js";
import { icon } from "./page-icons.js";

/** The files of the budget that the customer may download. `path` is that of the link. */
export function attachmentRows({ attachments = [] }: PublicBudgetView, locale: string, path: string): Html[] {
  return attachments.map(
    ({ id, fileName, size }) =>
      html`<li>${icon("download")} <a href="${path}/attachments/${id}"><bdi>${fileName}</bdi></a> <span class="quiet">${sizeText(size, locale)}</span></li>\n`,
  );
}

const UNITS = ["byte", "kilobyte", "megabyte"] as const;

function sizeText(bytes: number, locale: string): string {
  const step = bytes < 1_000 ? 0 : bytes < 1_000_000 ? 1 : 2;
  const unit = UNITS[step] ?? "byte";
  const style = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: step } as const;
  return new Intl.NumberFormat(locale, style).format(bytes / 1_000 ** step);
}
