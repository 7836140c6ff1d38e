import { createHash } from "node:crypto";
import { consentText } from "./consent.js";
import { sumSettingsOf, wordedSums } from "./document-totals.js";
import { Html, html } from "./html.js";
import { LIVE_TOTAL_SCRIPT } from "./live-total-script.js";
import type { PageContent } from "./page-content.js";
import type { PricedOffer } from "./priced-offer.js";
import type { SumSettings } from "./shown-figures.js";

/** What the page tells its script. In texts AMOUNT stands for an amount. */
export interface LiveOffer {
  readonly locale: string;
  readonly input: PricedOffer["input"];
  readonly settings: SumSettings;
  readonly label: string; // of the total
  readonly consent: string;
  readonly accept: string; // the button
  readonly laterAmounts: readonly string[]; // by the index of the recurrence
}

/** No text of a budget holds it. */
const AMOUNT = "\u0000";

/** Lets the browser compute the total of a selection at once; null = the service computes it when it is asked to. */
export function liveOffer(content: PageContent, base: string): Html | null {
  const offer = content.configuration?.offer ?? null;
  if (offer === null || content.configuration === null) return null;
  const { source } = content.configuration;
  const { view, words, document } = content;
  const later = wordedSums({ ...source, formats: { ...source.formats, price: () => AMOUNT } });
  const data: LiveOffer = {
    locale: document.locale,
    input: withoutTexts(offer.input),
    settings: sumSettingsOf(source),
    label: document.sum.term,
    consent: consentText(view, words, document.locale, AMOUNT),
    accept: words.acceptFor(AMOUNT),
    laterAmounts: later.filter(({ name }) => name === "recurring").map(({ write }) => write(0)),
  };
  return html`
<script type="application/json" id="offer">${new Html(jsonInHtml(data))}</script>
<script src="${base}/live-total.js?v=${LIVE_TOTAL_VERSION}" integrity="sha256-${DIGEST}" defer></script>`;
}

/** Only what the computation reads: descriptions would double the page. */
function withoutTexts(input: PricedOffer["input"]): PricedOffer["input"] {
  const items = input.items.map((line) => {
    const { kind, id, key, minimum, maximum, quantity, unitPrice, priceTiers, quantityRange } = line;
    const { discountRate, discountAmount, taxes, optional, selected, choice, recurring } = line;
    const set = { kind, id, key, minimum, maximum, quantity, unitPrice, priceTiers, quantityRange };
    const isSelected = selected === true ? { selected } : {};
    return { ...set, discountRate, discountAmount, taxes, optional, ...isSelected, choice, recurring };
  });
  const taxes = input.taxes?.map(({ id, rate, kind, inclusive, on }) => ({ id, rate, kind, inclusive, on }));
  return { ...input, items, ...(taxes === undefined ? {} : { taxes }) };
}

/** JSON that ends no element: an angle bracket is written by its number. */
function jsonInHtml(data: LiveOffer): string {
  return JSON.stringify(data).replace(/</g, "\\u003c");
}

const DIGEST = createHash("sha256").update(LIVE_TOTAL_SCRIPT).digest("base64");
/** A changed script has a changed address, so that browsers may keep this one. */
export const LIVE_TOTAL_VERSION = Buffer.from(DIGEST, "base64").toString("hex").slice(0, 16);
