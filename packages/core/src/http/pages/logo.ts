import type { PublicBudgetView } from "../../budgets/sharing/public-link.js";
import { type Html, html } from "./html.js";

/** The logo of the business, with its name as the text for readers who do not see it. */
export function logoImage({ business: { logo, name, legalName } }: PublicBudgetView, path: string): Html | null {
  if (logo === undefined) return null;
  const version = logo.sha256.slice(0, 16); // a new logo has a new address, so that caches may keep the old one
  return html`<img class="logo" src="${path}/logo?v=${version}" alt="${name ?? legalName ?? ""}">`;
}
