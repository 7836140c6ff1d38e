/**
 * The most results that a cache keeps. Enough for the statements of the filter combinations in use, of some thousand that
 * are possible, and for the accents of most installations.
 */
const MAX_ENTRIES = 1_024;

/**
 * `make` with a cache of its results by argument, such as prepared statements by SQL. The cache is cleared when full, so
 * that what callers send cannot fill the memory.
 */
export function memoize<T>(make: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    if (results.size === MAX_ENTRIES) results.clear();
    const value = make(text);
    results.set(text, value);
    return value;
  };
}
