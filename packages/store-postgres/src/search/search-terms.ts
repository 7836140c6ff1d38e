/** The trigrams of a text as numbers. Stored: a change needs a migration. Equal numbers of others cost time only. */
export function termsOf(business: number, text: string): ReadonlySet<number> {
  const terms = new Set<number>();
  const seed = seedOf(TEXT, business);
  let first: number | null = null;
  let second: number | null = null;
  for (const character of text) {
    const third = codePointOf(character);
    if (first !== null && second !== null) terms.add(mix(mix(mix(seed, first), second), third));
    [first, second] = [second, third];
  }
  return terms;
}

/** The id of a record as a number, to find its block. */
export function termOfId(business: number, id: string): number {
  let term = seedOf(ID, business);
  for (const character of id) term = mix(term, codePointOf(character));
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

/** Half a surrogate pair is stored as the replacement character. */
function codePointOf(character: string): number {
  const point = character.codePointAt(0) ?? REPLACEMENT;
  return point >= 0xd800 && point <= 0xdfff ? REPLACEMENT : point;
}
