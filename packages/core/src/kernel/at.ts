/** The element at an index that the caller knows to exist. Throws a RangeError otherwise: a broken rule, not bad input. */
export function at<T>(list: ArrayLike<T>, index: number): T {
  const element = list[index];
  if (element === undefined) throw new RangeError(`nothing at ${index} of ${list.length}`);
  return element;
}

/** The same for packed numbers alone: a function that meets lists of one kind reads them many times as fast. */
export function numberAt(list: Float64Array, index: number): number {
  const element = list[index];
  if (element === undefined) throw new RangeError(`nothing at ${index} of ${list.length}`);
  return element;
}
