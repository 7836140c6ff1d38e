export interface TextPart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** The text in parts, those marked that the words of the search match. Letters match without case and accents. */
export function mark(text: string, search: string): readonly TextPart[] {
  const letters = [...text];
  const folded = letters.map(fold);
  const isMatch = new Array<boolean>(letters.length).fill(false);
  for (const word of wordsOf(search)) {
    const start = indexOfWord(folded, word);
    if (start === null) continue;
    for (let index = start.from; index < start.to; index += 1) isMatch[index] = true;
  }
  const parts: { text: string; isMatch: boolean }[] = [];
  letters.forEach((letter, index) => {
    const last = parts.at(-1);
    const marked = isMatch[index] === true;
    if (last?.isMatch === marked) last.text += letter;
    else parts.push({ text: letter, isMatch: marked });
  });
  return parts;
}

/** Whether each word of the search is in the text. An empty search matches everything. */
export function matches(text: string, search: string): boolean {
  const folded = [...text].map(fold);
  return wordsOf(search).every((word) => indexOfWord(folded, word) !== null);
}

function wordsOf(search: string): readonly string[] {
  return [...search].map(fold).join("").split(/\s+/).filter(Boolean);
}

/** Where a word stands, in letters of the text: a folded letter may be none (an accent) or several (ß is ss). */
function indexOfWord(folded: readonly string[], word: string): { readonly from: number; readonly to: number } | null {
  const at = folded.join("").indexOf(word);
  if (at < 0) return null;
  let length = 0;
  let from = -1;
  for (const [index, letter] of folded.entries()) {
    if (from < 0 && length + letter.length > at) from = index;
    length += letter.length;
    if (length < at + word.length) continue;
    let to = index + 1;
    while (folded[to] === "") to += 1; // the accents of the last letter
    return { from, to };
  }
  return null;
}

function fold(letter: string): string {
  return letter.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace("ß", "ss");
}
