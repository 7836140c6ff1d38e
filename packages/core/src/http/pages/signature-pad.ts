import { createHash } from "node:crypto";
import { type Html, html } from "./html.js";
import type { PageWords } from "./page-words.js";

/**
 * Draws a signature by pointer into the path of the pad, and copies the path into the hidden field of the form. It works
 * in coordinates of the pad, 600 by 200, and stops at the size that the service takes.
 */
export const SIGNATURE_SCRIPT = `"use strict";
{
  const pad = document.getElementById("signature-pad");
  const [svg, path, field, clear] = ["svg", "path", "input", "button"].map((name) => pad.querySelector(name));
  let text = "";
  let last = null;
  const point = (event) => {
    const { left, top, width, height } = svg.getBoundingClientRect();
    const within = (value, most) => Math.round(Math.max(0, Math.min(most, value)));
    return within(((event.clientX - left) / width) * 600, 600) + " " + within(((event.clientY - top) / height) * 200, 200);
  };
  const add = (step, at) => {
    if (at === last || text.length > 8150) return;
    text += (text === "" ? "" : " ") + step + " " + at;
    last = at;
    path.setAttribute("d", text);
    field.value = text;
  };
  svg.addEventListener("pointerdown", (event) => {
    svg.setPointerCapture(event.pointerId);
    last = null;
    add("M", point(event));
    event.preventDefault();
  });
  svg.addEventListener("pointermove", (event) => {
    if (svg.hasPointerCapture(event.pointerId)) add("L", point(event));
  });
  clear.addEventListener("click", () => {
    text = field.value = "";
    last = null;
    path.removeAttribute("d");
  });
  pad.hidden = false;
}
`;

const SCRIPT_DIGEST = createHash("sha256").update(SIGNATURE_SCRIPT).digest("base64");

/** A field to sign by hand, shown where scripts run. The form is complete without it. */
export function signaturePad(words: PageWords): Html {
  return html`<div id="signature-pad" hidden>
<p id="signature-label">${words.signature}</p>
<svg viewBox="0 0 600 200" role="img" aria-labelledby="signature-label"><path/></svg>
<input type="hidden" name="signature" value="">
<button type="button">${words.signatureClear}</button>
</div>`;
}

/** After the pad. `base` is the path of all links. The digest of the content lets only this script run. */
export function signatureScript(base: string): Html {
  return html`<script src="${base}/signature.js" integrity="sha256-${SCRIPT_DIGEST}" defer></script>`;
}

/** The signature of an acceptance. */
export function drawnSignature(path: string | undefined, words: PageWords): Html | null {
  if (path === undefined) return null;
  return html`<svg class="drawn" viewBox="0 0 600 200" role="img" aria-label="${words.signed}"><path d="${path}"/></svg>`;
}
