import { LRUCache } from "lru-cache";

/**
 * The most results that are kept by default. Enough for the statements of the filter combinations in use, of some thousand
 * that are possible, and for the accents of most installations.
 */
const MAX_RESULTS = 1_024;

/**
 * `make` with a cache of its results by argument, such as prepared statements by SQL. It keeps those that were used last,
 * so that what callers send cannot fill the memory.
 */
export function memoize<T extends {}>(make: (text: string) => T, max: number = MAX_RESULTS): (text: string) => T {
  const results = new LRUCache<string, T>({ max });
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const made = make(text);
    results.set(text, made);
    return made;
  };
}
