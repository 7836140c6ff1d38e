import openBidi from "bidi-js";

/** Its types are of an ES module, and Node loads its CommonJS one. */
const bidi = (openBidi as unknown as typeof openBidi.default)();

/** The levels of the characters of a paragraph, by index: odd = from right to left. */
export function levelsOf(text: string, isRightToLeft: boolean): Uint8Array {
  return bidi.getEmbeddingLevels(text, isRightToLeft ? "rtl" : "ltr").levels;
}

/** The direction of a paragraph is that of its first letter, as with `dir="auto"` of HTML. */
export function beginsRightToLeft(paragraph: string): boolean {
  return bidi.getEmbeddingLevels(paragraph).paragraphs[0]?.level === 1;
}

/** `)` for `(`; most characters have none but themselves. */
export function mirrorOf(character: string): string {
  return bidi.getMirroredCharacter(character) ?? character;
}
