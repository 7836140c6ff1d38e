/** The trigrams of a text as numbers. Stored: a change needs a migration. Equal numbers of others cost time only. */
export function termsOf(business: number, text: string): ReadonlySet<number> {
  const terms = new Set<number>();
  addTerms(terms, business, text);
  return terms;
}

/** Adds those of a text. */
export function addTerms(terms: Set<number>, business: number, text: string): void {
  const seed = seedOf(TEXT, business);
  let pair: number | null = null; // the two characters before this one, mixed
  let last: number | null = null;
  for (let index = 0; index < text.length; index += 1) {
    const point = codePointAt(text, index);
    if (point > LAST_OF_ONE_UNIT) index += 1;
    if (pair !== null) terms.add(mix(pair, point));
    pair = last === null ? null : mix(last, point);
    last = mix(seed, point);
  }
}

/** The id of a record as a number, to find its block. */
export function termOfId(business: number, id: string): number {
  let term = seedOf(ID, business);
  for (const character of id) term = mix(term, codePointAt(character, 0));
  return term;
}

const TEXT = 1;
const ID = 2;

/** A search reads the entries of its own business. */
function seedOf(kind: number, business: number): number {
  return mix(mix(mix(0, kind), business % 2 ** 32), Math.floor(business / 2 ** 32));
}

/** 32 bits. The multiplier is that of Fibonacci hashing. */
function mix(hash: number, value: number): number {
  const product = Math.imul(hash ^ value, 0x9e3779b1);
  return product ^ (product >>> 15);
}

const REPLACEMENT = 0xfffd;

/** A character beyond it takes two units of UTF-16. */
const LAST_OF_ONE_UNIT = 0xffff;

/** Half a surrogate pair is stored as the replacement character. */
function codePointAt(text: string, index: number): number {
  const point = text.codePointAt(index) ?? REPLACEMENT;
  return point >= 0xd800 && point <= 0xdfff ? REPLACEMENT : point;
}
