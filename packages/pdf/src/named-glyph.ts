import type { Font, Subset } from "fontkit";

/** What pdfkit reads of a glyph. */
export interface PlainGlyph {
  readonly id: number | string;
  readonly advanceWidth: number;
  readonly codePoints: readonly number[];
}

/**
 * A glyph that stands for these characters. pdfkit keeps one text for each glyph of a file, but Arabic letters share
 * glyphs, which differ by their dots: the name makes a glyph of its own of each, so that the text can be read again.
 */
export function namedGlyph(id: number | string, advanceWidth: number, codePoints: readonly number[]): PlainGlyph {
  return { id: `${id} ${codePoints.join()}`, advanceWidth, codePoints };
}

/** What fontkit's subset has beside its types. */
interface GlyphSubset {
  _addGlyph(id: number): number;
}

/** Lets a font's subsets find the glyph of a name. */
export function nameGlyphs(font: Font): Font {
  const create = font.createSubset.bind(font);
  const createSubset = (): Subset => {
    const subset = create();
    const named = subset as unknown as GlyphSubset; // its types name two methods alone
    const add = named._addGlyph.bind(named);
    named._addGlyph = (name: number | string) => add(Number.parseInt(String(name), 10));
    return subset;
  };
  return Object.assign(font, { createSubset });
}
