import type { Random } from "@budgetkit/core";

/** Randomness that repeats: the same seed draws the same bytes on every machine. For tests only, it can be guessed. */
export function seededRandom(seed: number): Random {
  const nextWord = splitMix32(seed);
  return {
    bytes: (size) => {
      const bytes = new Uint8Array(size);
      for (let index = 0; index < size; index += 1) bytes[index] = nextWord() >>> 24;
      return bytes;
    },
  };
}

/** An integer from 0 up to and without `below`, which is at most 2^32. */
export function drawInteger(random: Random, below: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = random.bytes(4);
  return Math.floor(((((a << 24) | (b << 16) | (c << 8) | d) >>> 0) / 2 ** 32) * below);
}

/** One of the entries. Throws a RangeError when there are none. */
export function drawOne<T>(random: Random, entries: readonly T[]): T {
  for (const entry of entries.slice(drawInteger(random, entries.length))) return entry;
  throw new RangeError("nothing to draw from");
}

/** The mixing function of SplitMix, in 32 bits. */
function splitMix32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
}
