/** The lines of a text that are at most `width` wide. A word that is wider breaks. Runs of spaces count as one. */
export function wrapLines(text: string, width: number, widthOf: (text: string) => number): string[] {
  return text.split("\n").flatMap((paragraph) => wrapParagraph(paragraph, width, widthOf));
}

function wrapParagraph(paragraph: string, width: number, widthOf: (text: string) => number): string[] {
  const space = widthOf(" ");
  const lines: string[] = [];
  let line = "";
  let used = 0;
  const put = (word: string, wide: number) => {
    if (line !== "" && used + space + wide > width) {
      lines.push(line);
      line = "";
    }
    used = line === "" ? wide : used + space + wide;
    line = line === "" ? word : `${line} ${word}`;
  };
  for (const word of paragraph.split(/ +/)) {
    if (word === "") continue;
    const wide = widthOf(word);
    if (wide <= width) put(word, wide);
    else for (const part of breakWord(word, width, widthOf)) put(part, widthOf(part));
  }
  return [...lines, line];
}

/** A letter with its accents. */
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gu;

function breakWord(word: string, width: number, widthOf: (text: string) => number): string[] {
  const parts: string[] = [];
  let part = "";
  let used = 0;
  for (const [cluster] of word.matchAll(CLUSTER)) {
    const wide = widthOf(cluster);
    if (part !== "" && used + wide > width) {
      parts.push(part);
      part = "";
      used = 0;
    }
    part += cluster;
    used += wide;
  }
  return [...parts, part];
}
