import { type Html, html } from "./html.js";
import { type IconName, icon } from "./page-icons.js";

type Tone = "good" | "warn" | "bad" | "past" | "done";

/** A state: a word, a shape and a colour. */
export function chip(tone: Tone, shape: IconName, word: string): Html {
  return html`<p class="chip ${tone}">${icon(shape)} <span>${word}</span></p>\n`;
}
