import type { Direction } from "./page-language.js";

const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc]/;
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text that a person typed, within a sentence of the page: its direction changes nothing around it. The marks are left
 * out where both are written from left to right. Source: Unicode Standard Annex 9, isolates.
 */
export function isolated(text: string, direction: Direction): string {
  const plain = text.replace(BIDI_CONTROLS, "");
  return direction === "rtl" || isRightToLeft(plain) ? `\u2068${plain}\u2069` : plain;
}

export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}
