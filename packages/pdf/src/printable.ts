import { faceOf, type Typeface } from "./faces.js";

/** Stands for characters that no font has: a reader sees that something is missing. */
const REPLACEMENT = "[?]";
const LINE_BREAK = /\r\n?|[\u2028\u2029\v\f]/g;
/** What every font has. */
const PLAIN = /^[\n -~]*$/;
const SPACE = /[\t\p{Zs}]/gu;
/** Joiners elsewhere than in scripts, and in pictures, that are written with them. */
const STRAY_JOINER = /(?<!\p{sc=Arabic}|\p{sc=Devanagari}|\p{Emoji}|\ufe0f)(?:\u200c|\u200d)/gu;
/** Controls, and the invisible characters that reverse or hide text. Isolates only keep apart, and joiners shape. */
const HIDDEN = /(?![\n\u2068\u2069\u200c\u200d])[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;
/** Of one color here. */
const SKIN = /\p{Emoji_Modifier}/gu;
/** Characters that a line may have and that have no glyph of their own. */
export const INVISIBLE = /\u2068|\u2069|\u200c|\u200d/;

/** The text in the order in which it is read, with [?] for what no font has. Keeps line breaks. */
export function printable(text: string, typeface: Typeface): string {
  if (PLAIN.test(text)) return text;
  let isMissing = false; // several in a row have one sign
  return Array.from(visible(text), (character) => {
    const wasMissing = isMissing;
    isMissing = !isDrawn(character, typeface);
    return isMissing ? (wasMissing ? "" : REPLACEMENT) : character;
  }).join("");
}

/** The characters of the text that no font has. */
export function undrawableIn(text: string, typeface: Typeface): string[] {
  return PLAIN.test(text) ? [] : Array.from(visible(text)).filter((character) => !isDrawn(character, typeface));
}

/** For what shows a text by its own means, such as the title of a window. */
export function plainText(text: string, typeface: Typeface): string {
  return printable(text, typeface).replace(/[\u2068\u2069]/g, "");
}

function visible(text: string): string {
  return text
    .normalize("NFC")
    .replace(LINE_BREAK, "\n")
    .replace(SPACE, " ")
    .replace(STRAY_JOINER, "")
    .replace(HIDDEN, "")
    .replace(SKIN, "");
}

function isDrawn(character: string, typeface: Typeface): boolean {
  return character === "\n" || INVISIBLE.test(character) || faceOf(character.codePointAt(0) ?? 0, typeface) !== null;
}
