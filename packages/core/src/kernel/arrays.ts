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

/** The entries by their id. */
export function byId<T extends { readonly id: string }>(entries: readonly T[]): Map<string, T> {
  return new Map(entries.map((entry) => [entry.id, entry]));
}
