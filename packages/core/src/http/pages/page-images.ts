import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import { type Html, html, type UnsavedPage } from "./html.js";
import { icon } from "./page-icons.js";
import type { PageWords } from "./page-words.js";

/** The logo of the business, with its name as the text for readers who do not see it. */
export function logoImage(
  { business: { logo, name, legalName } }: PublicBudgetView,
  path: string,
  unsaved: UnsavedPage | null,
): Html | null {
  if (logo === undefined) return null;
  const version = logo.sha256.slice(0, 16); // a new logo has a new address, so that caches may keep the old one
  const address = unsaved === null ? `${path}/logo?v=${version}` : unsaved.logo;
  return address === null ? null : html`<img class="logo" src="${address}" alt="${name ?? legalName ?? ""}">`;
}

/**
 * An invisible image that only a displayed page loads, so that scanners that fetch the page alone are not counted.
 * `channel` is the `c` of the link; null = none.
 */
export function seenMark(path: string, channel: string | null): Html {
  const query = channel === null ? "" : `?c=${encodeURIComponent(channel)}`;
  return html`<img class="seen" src="${path}/seen.svg${query}" alt="" width="1" height="1">`;
}

export const SEEN_IMAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';

/**
 * A field to sign by hand, shown where scripts run. The form is complete without it. It takes no touch until it is tapped,
 * so that a swipe across it scrolls the page.
 */
export function signaturePad(words: PageWords): Html {
  return html`<details id="signature-pad" hidden>
<summary>${icon("pen")} ${words.signatureAdd}</summary>
<div class="pad"><svg class="pad-field" viewBox="0 0 600 200" role="img" aria-label="${words.signature}"><path/></svg><p class="hint" aria-hidden="true">${words.signatureHint}</p></div>
<p role="alert" class="excess" hidden>${words.signatureTooLong}</p>
<p role="status" class="shortage" hidden>${words.signatureTooShort}</p>
<input type="hidden" name="signature" value="">
<button type="button">${words.signatureClear}</button>
</details>`;
}

/** The signature of an acceptance. */
export function drawnSignature(path: string | undefined, words: PageWords): Html | null {
  if (path === undefined) return null;
  return html`<svg class="drawn" viewBox="0 0 600 200" role="img" aria-label="${words.signed}"><path d="${path}"/></svg>`;
}
