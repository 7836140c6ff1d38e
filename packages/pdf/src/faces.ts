import { readFileSync } from "node:fs";
import { create, type Font } from "fontkit";

/** A font of a document. Its layout is one glyph for each code point: linear in the text, and searchable as written. */
export interface Face {
  readonly font: Font; // for pdfkit
  readonly name: string;
  has(codePoint: number): boolean;
  widthOf(text: string, size: number): number;
}

export interface Faces {
  readonly regular: Face;
  readonly strong: Face;
}

const folder = new URL("../fonts/", import.meta.url); // beside `src` and beside `dist`

/** Reads the fonts of the package: Inter, which has Latin, Greek and Cyrillic. */
export function readFaces(): Faces {
  return { regular: readFace("Inter-Regular.ttf"), strong: readFace("Inter-SemiBold.ttf") };
}

/** The glyph of every font that stands for a character without one. */
const MISSING = 0;

/** What pdfkit reads of a glyph. */
interface PlainGlyph {
  readonly id: number;
  readonly advanceWidth: number;
  readonly codePoints: readonly number[];
}

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
  const layout = (text: string) => {
    const run = glyphsOf(text);
    const positions = run.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }));
    return { glyphs: run, positions, advanceWidth: widthOf(run) };
  };
  const { unitsPerEm, postscriptName } = font; // read from the file each time
  return {
    font: Object.assign(font, { layout }),
    name: postscriptName,
    has: (codePoint) => glyphOf(codePoint).id !== MISSING,
    widthOf: (text, size) => {
      let width = 0;
      for (const character of text) width += glyphOf(character.codePointAt(0) ?? 0).advanceWidth;
      return (width * size) / unitsPerEm;
    },
  };
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
