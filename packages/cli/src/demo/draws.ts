/** Random choices that depend on the seed only. */
export interface Draws {
  /** At least 0 and below 1. */
  number(): number;
  /** An integer from `least` to `most`, both included. */
  integer(least: number, most: number): number;
  /** One of the entries, with equal probability. Throws a RangeError for an empty list. */
  one<T>(entries: readonly T[]): T;
  /** True with this probability. */
  chance(probability: number): boolean;
}

/** mulberry32: 32 bits of state, sufficient for a demonstration. */
export function seededDraws(seed: number): Draws {
  let state = seed >>> 0;
  const number = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (least: number, most: number) => least + Math.floor(number() * (most - least + 1));
  return {
    number,
    integer,
    one: (entries) => {
      for (const entry of entries.slice(integer(0, entries.length - 1))) return entry;
      throw new RangeError("nothing to draw from");
    },
    chance: (probability) => number() < probability,
  };
}
