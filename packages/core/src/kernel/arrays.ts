/** The element at an index that must exist. Throws a RangeError otherwise: a missing element is a bug, not bad input. */
export function at<T>(list: ArrayLike<T>, index: number): T {
  const element = list[index];
  if (element === undefined) throw new RangeError(`nothing at ${index} of ${list.length}`);
  return element;
}

/** `at` for typed arrays. A separate function stays monomorphic, so V8 reads the elements many times as fast. */
export function numberAt(list: Float64Array, index: number): number {
  const element = list[index];
  if (element === undefined) throw new RangeError(`nothing at ${index} of ${list.length}`);
  return element;
}

/** The value of a key that must be there. Throws a RangeError otherwise: a missing one is a bug, not bad input. */
export function valueAt<K, V extends {}>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`nothing of ${String(key)}`);
  return value;
}

/** The entries by their id. */
export function byId<T extends { readonly id: string }>(entries: readonly T[]): Map<string, T> {
  return mapBy(entries, ({ id }) => id);
}

/** The entries by a key; of several with one key the last. A map made from a list of pairs takes three times as long. */
export function mapBy<T>(entries: readonly T[], keyOf: (entry: T) => string): Map<string, T> {
  const found = new Map<string, T>();
  for (const entry of entries) found.set(keyOf(entry), entry);
  return found;
}
