import { create, type Font, type Glyph } from "fontkit";
import { LRUCache } from "lru-cache";
import { type Face, MISSING, RIGHT_TO_LEFT } from "./faces.js";
import { flattenSubsets } from "./flat-subset.js";
import { namedGlyph, nameGlyphs, type PlainGlyph } from "./named-glyph.js";

/** Words are measured, and then drawn. */
const MAX_RECENT = 2_000;

interface Shaped {
  readonly glyphs: readonly PlainGlyph[];
  readonly positions: readonly Position[];
  readonly advanceWidth: number;
}

interface Position {
  readonly xAdvance: number;
  readonly yAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

/** A weight of a variable font, which is shaped as its script wants: letters join, and marks find their places. */
export function shapedFace(file: Uint8Array, name: string, weight: number): Face {
  const opened = create(Buffer.from(file));
  if (!("getVariation" in opened)) throw new Error(`${name} holds several fonts`);
  const font = nameGlyphs(flattenSubsets(opened.getVariation({ wght: weight })));
  const { unitsPerEm } = font;
  const shape = shaper(font);
  const layout = (text: string, features?: readonly string[]) => {
    const { glyphs, positions, advanceWidth } = shape(text, features?.includes(RIGHT_TO_LEFT) === true);
    return { glyphs, positions: positions.map((position) => ({ ...position })), advanceWidth }; // pdfkit scales them
  };
  return {
    // pdfkit takes fonts of the same name for the same font, and all files of a family have one.
    font: Object.defineProperty(Object.assign(font, { layout }), "postscriptName", { value: name }),
    name,
    has: (codePoint) => font.glyphForCodePoint(codePoint).id !== MISSING,
    widthOf: (text, size) => (shape(text, false).advanceWidth * size) / unitsPerEm,
  };
}

function shaper(font: Font): (text: string, isRightToLeft: boolean) => Shaped {
  const recent = new LRUCache<string, Shaped>({ max: MAX_RECENT });
  const lay = font.layout.bind(font);
  nameGlyphsByRun(font);
  return (text, isRightToLeft) => {
    const key = `${isRightToLeft ? "r" : "l"}${text}`;
    const known = recent.get(key);
    if (known !== undefined) return known;
    const { glyphs, positions } = lay(text, undefined, undefined, undefined, isRightToLeft ? "rtl" : "ltr");
    const shaped = {
      glyphs: readable(glyphs, text, isRightToLeft),
      positions: positions.map(({ xAdvance, yAdvance, xOffset, yOffset }) => ({
        xAdvance,
        yAdvance,
        xOffset,
        yOffset,
      })),
      advanceWidth: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0),
    };
    recent.set(key, shaped);
    return shaped;
  };
}

/**
 * The glyphs with the text that a reader of the file finds in them: a letter has that of its marks, which may stand above
 * the line. Where glyphs are not in the order of the text, as in Devanagari, the first one has all of it.
 */
function readable(glyphs: readonly Glyph[], text: string, isRightToLeft: boolean): PlainGlyph[] {
  const inOrder = isRightToLeft ? [...glyphs].reverse() : glyphs;
  const isInOrder = String.fromCodePoint(...inOrder.flatMap(({ codePoints }) => codePoints)) === text;
  const named =
    isInOrder || isRightToLeft
      ? withMarks(inOrder)
      : inOrder.map((_, index) => (index === 0 ? Array.from(text, (character) => character.codePointAt(0) ?? 0) : []));
  const shown = inOrder.map(({ id, advanceWidth }, index) => namedGlyph(id, advanceWidth, named[index] ?? []));
  return isRightToLeft ? shown.reverse() : shown;
}

const MARKS = /^\p{M}+$/u;

function withMarks(glyphs: readonly Glyph[]): number[][] {
  const named: number[][] = [];
  let letter: number[] = [];
  for (const { codePoints } of glyphs) {
    const own = [...codePoints];
    if (named.length > 0 && MARKS.test(String.fromCodePoint(...own))) {
      letter.push(...own);
      named.push([]);
    } else {
      if (own.length > 0) letter = own;
      named.push(own);
    }
  }
  return named;
}

/** fontkit keeps a glyph with the characters that it stood for first, in any document: here it has those of its run. */
function nameGlyphsByRun(font: Font): void {
  const find = font.getGlyph.bind(font);
  const getGlyph = (id: number, codePoints: number[] = []) => {
    const glyph = find(id, codePoints);
    return codePoints.length === 0 ? glyph : Object.assign(Object.create(glyph), { codePoints });
  };
  Object.assign(font, { getGlyph });
}
