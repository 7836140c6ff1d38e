import { readFileSync } from "node:fs";
import { create, type Font } from "fontkit";
import { mirrorOf } from "./bidi.js";
import { namedGlyph, nameGlyphs, type PlainGlyph } from "./named-glyph.js";

/** Asks a font for a run from right to left: pdfkit passes features of OpenType to it, and no direction. */
export const RIGHT_TO_LEFT = "rtla";
export const LEFT_TO_RIGHT = "ltra";

/** A font of a document. */
export interface Face {
  readonly font: Font; // for pdfkit
  readonly name: string; // no two fonts of a document have the same one
  has(codePoint: number): boolean;
  widthOf(text: string, size: number): number;
}

/** One weight: the font of the package, and behind it those of other scripts. */
export interface Typeface {
  readonly primary: Face;
  readonly fallbacks: readonly Face[];
}

export interface Faces {
  readonly regular: Typeface;
  readonly strong: Typeface;
}

/** Null = no font has the character. */
export function faceOf(codePoint: number, { primary, fallbacks }: Typeface): Face | null {
  return primary.has(codePoint) ? primary : (fallbacks.find((face) => face.has(codePoint)) ?? null);
}

const folder = new URL("../fonts/", import.meta.url); // beside `src` and beside `dist`

/** Reads the fonts of the package: Inter, which has Latin, Greek and Cyrillic. */
export function readFaces(): Faces {
  const typeface = (file: string) => ({ primary: readFace(file), fallbacks: [] });
  return { regular: typeface("Inter-Regular.ttf"), strong: typeface("Inter-SemiBold.ttf") };
}

/** The glyph of every font that stands for a character without one. */
export const MISSING = 0;

/** Its layout is one glyph for each code point: linear in the text, and searchable as written. */
function readFace(name: string): Face {
  const font = create(readFileSync(new URL(name, folder)));
  if (!("glyphForCodePoint" in font)) throw new Error(`${name} holds several fonts`);
  const glyphs = new Map<number, PlainGlyph>(tabularDigits(font));
  const glyphOf = (codePoint: number): PlainGlyph => {
    const known = glyphs.get(codePoint);
    if (known !== undefined) return known;
    const { id, advanceWidth } = font.glyphForCodePoint(codePoint);
    const glyph = { id, advanceWidth, codePoints: [codePoint] };
    glyphs.set(codePoint, glyph);
    return glyph;
  };
  const glyphsOf = (text: string) => Array.from(text, (character) => glyphOf(character.codePointAt(0) ?? 0));
  const widthOf = (run: readonly PlainGlyph[]) => run.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0);
  /** Replaces the layout of OpenType, which takes a millisecond a word and kerns by the neighbours. */
  const layout = (text: string, features?: readonly string[]) => {
    const run = features?.includes(RIGHT_TO_LEFT) === true ? mirrored(text, glyphOf) : glyphsOf(text);
    const positions = run.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }));
    return { glyphs: run, positions, advanceWidth: widthOf(run) };
  };
  const { unitsPerEm, postscriptName } = font; // read from the file each time
  return {
    font: nameGlyphs(Object.assign(font, { layout })),
    name: postscriptName,
    has: (codePoint) => glyphOf(codePoint).id !== MISSING,
    widthOf: (text, size) => {
      let width = 0;
      for (const character of text) width += glyphOf(character.codePointAt(0) ?? 0).advanceWidth;
      return (width * size) / unitsPerEm;
    },
  };
}

/** What stands between words from right to left: a bracket looks like its counterpart. */
function mirrored(text: string, glyphOf: (codePoint: number) => PlainGlyph): PlainGlyph[] {
  return Array.from(text, (character) => {
    const { id, advanceWidth } = glyphOf(mirrorOf(character).codePointAt(0) ?? 0);
    return namedGlyph(id, advanceWidth, [character.codePointAt(0) ?? 0]);
  }).reverse();
}

/** Digits of one width, so that amounts stand in columns. */
function tabularDigits(font: Font): [number, PlainGlyph][] {
  return Array.from("0123456789", (digit) => {
    const codePoint = digit.charCodeAt(0);
    const [glyph] = font.layout(digit, ["tnum"]).glyphs;
    const { id, advanceWidth } = glyph ?? font.glyphForCodePoint(codePoint);
    return [codePoint, { id, advanceWidth, codePoints: [codePoint] }];
  });
}
