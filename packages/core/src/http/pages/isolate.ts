import { inOneLine } from "../../budgets/mailing/attempt-mail.js";
import { type Html, html } from "./html.js";
import type { Direction } from "./page-language.js";

/** FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE. Source: Unicode Standard Annex 9, section 2.4. */
const ISOLATE = "\u2068";
const POP = "\u2069";
const ISOLATED = /\u2068([^\u2069]*)\u2069/;
const MARKS = /[\u202A-\u202E\u2066-\u2069]/g;
const BIDI_CONTROLS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
const RIGHT_TO_LEFT = /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** A text that a person typed, in one line, marked so that its direction does not change the sentence around it. */
export function isolated(text: string, maxCharacters = Number.POSITIVE_INFINITY): string {
  const characters = [...inOneLine(text)];
  const shown = characters.length <= maxCharacters ? characters : [...characters.slice(0, maxCharacters - 1), "…"];
  return `${ISOLATE}${shown.join("")}${POP}`;
}

/** The same within a sentence of a page or a PDF, without marks where both are written from left to right. */
export function isolatedIn(direction: Direction, text: string): string {
  const plain = text.replace(BIDI_CONTROLS, "");
  return direction === "rtl" || isRightToLeft(plain) ? `${ISOLATE}${plain}${POP}` : plain;
}

export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/** A sentence with marked texts, as HTML. */
export function isolatedHtml(sentence: string): readonly Html[] {
  return sentence.split(ISOLATED).map((part, index) => (index % 2 === 1 ? html`<bdi>${part}</bdi>` : html`${part}`));
}

/** A sentence with marked texts, as plain text. The marks stay only where directions mix: some programs show them. */
export function isolatedText(sentence: string): string {
  return isRightToLeft(sentence) ? sentence : sentence.replace(MARKS, "");
}

/** A text of several lines that a person typed, without marks of its own. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, "").replace(/\r\n?/g, "\n");
}
