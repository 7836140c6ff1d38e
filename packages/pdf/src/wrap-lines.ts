/** The lines of a text that are at most `width` wide. A word that is wider breaks. Runs of spaces count as one. */
export function* wrapLines(text: string, width: number, widthOf: (text: string) => number): Generator<string> {
  for (const paragraph of text.split("\n")) yield* wrapParagraph(paragraph, width, widthOf);
}

function* wrapParagraph(paragraph: string, width: number, widthOf: (text: string) => number): Generator<string> {
  const space = widthOf(" ");
  const lines: string[] = [];
  let line = "";
  let used = 0;
  const put = (word: string, wide: number, gap: "" | " ") => {
    const between = gap === "" ? 0 : space;
    if (line !== "" && used + between + wide > width) {
      lines.push(line);
      line = "";
    }
    used = line === "" ? wide : used + between + wide;
    line = line === "" ? word : `${line}${gap}${word}`;
  };
  for (const word of paragraph.split(/ +/)) {
    if (word === "") continue;
    for (const [index, piece] of piecesOf(word).entries()) {
      const wide = piece.length > MAX_MEASURED ? Number.POSITIVE_INFINITY : widthOf(piece);
      const gap = index === 0 ? " " : "";
      for (const part of wide <= width ? [piece] : breakWord(piece, width, widthOf)) {
        put(part, part === piece && Number.isFinite(wide) ? wide : widthOf(part), gap);
        yield* lines.splice(0);
      }
    }
  }
  yield line;
}

/** A longer word is broken without shaping it as a whole, which costs seconds in scripts whose letters join. */
const MAX_MEASURED = 200;

/** Scripts that write no spaces between words. */
const DENSE = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const words = new Intl.Segmenter("ja", { granularity: "word" });
/** No line begins with the first, none ends on the second. */
const CLOSING = /^[\p{Pe}\p{Pf}\p{Po}\p{M}ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ]/u;
const OPENING = /[\p{Ps}\p{Pi}]$/u;

/** The parts of a word between which a line may break. */
function piecesOf(word: string): string[] {
  if (!DENSE.test(word)) return [word];
  const pieces: string[] = [];
  for (const { segment } of words.segment(word)) {
    const last = pieces.at(-1);
    if (last !== undefined && (CLOSING.test(segment) || OPENING.test(last))) pieces[pieces.length - 1] = last + segment;
    else pieces.push(segment);
  }
  return pieces;
}

/** What a reader takes for one character: a letter with its accents, a syllable, a picture. */
const clusters = new Intl.Segmenter("en", { granularity: "grapheme" });

function breakWord(word: string, width: number, widthOf: (text: string) => number): string[] {
  const parts: string[] = [];
  let part = "";
  let used = 0;
  for (const { segment } of clusters.segment(word)) {
    const wide = widthOf(segment);
    if (part !== "" && used + wide > width) {
      parts.push(part);
      part = "";
      used = 0;
    }
    part += segment;
    used += wide;
  }
  return [...parts, part];
}
