/** A list that is short by a rule of the service, with all of its pages. */
export async function allOf<T>(entries: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const entry of entries) found.push(entry);
  return found;
}
