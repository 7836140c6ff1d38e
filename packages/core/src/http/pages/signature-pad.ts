import { type Html, html } from "./html.js";
import type { PageWords } from "./page-words.js";

/** A field to sign by hand, shown where scripts run. The form is complete without it. */
export function signaturePad(words: PageWords): Html {
  return html`<div id="signature-pad" hidden>
<p id="signature-label">${words.signature}</p>
<svg viewBox="0 0 600 200" role="img" aria-labelledby="signature-label"><path/></svg>
<p role="alert" hidden>${words.signatureTooLong}</p>
<input type="hidden" name="signature" value="">
<button type="button">${words.signatureClear}</button>
</div>`;
}

/** The signature of an acceptance. */
export function drawnSignature(path: string | undefined, words: PageWords): Html | null {
  if (path === undefined) return null;
  return html`<svg class="drawn" viewBox="0 0 600 200" role="img" aria-label="${words.signed}"><path d="${path}"/></svg>`;
}
