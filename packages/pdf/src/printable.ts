import type { Face } from "./faces.js";

/** Stands for a character that the fonts do not have. */
const REPLACEMENT = "□";
const LINE_BREAK = /\r\n?|[\u2028\u2029\v\f]/g;
/** What every font has. */
const PLAIN = /^[\n -~]*$/;
const SPACE = /[\t\p{Zs}]/gu;
/** Controls, and the invisible characters that reverse, join or hide text. */
const HIDDEN = /(?!\n)[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;

/** The text as the face can show it: one code point, one glyph, from left to right. Keeps line breaks. */
export function printable(text: string, face: Pick<Face, "has">): string {
  if (PLAIN.test(text)) return text;
  const plain = text.normalize("NFC").replace(LINE_BREAK, "\n").replace(SPACE, " ").replace(HIDDEN, "");
  return Array.from(plain, (character) =>
    character === "\n" || face.has(character.codePointAt(0) ?? 0) ? character : REPLACEMENT,
  ).join("");
}
