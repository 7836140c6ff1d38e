/** A list that is read in its order, leaving out what belongs to certain businesses. */
export interface SharedList<Entry> {
  /** The first `limit` entries that belong to none of these businesses. */
  read(without: readonly number[], limit: number): readonly Entry[];
  businessOf(entry: Entry): number;
  /** How many entries of a business are wanted at most. */
  shareOf(business: number): number;
}

/**
 * The first `limit` entries of a list, of each business no more than its share. A business that has more is left out
 * where the list is read on, so that its backlog is passed over by SQLite and row by row by nobody. What belongs to one
 * business keeps its order.
 */
export function firstShares<Entry>(list: SharedList<Entry>, limit: number): readonly Entry[] {
  const kept: Entry[] = [];
  const without = new Set<number>();
  for (;;) {
    const page = list.read([...without], limit - kept.length);
    const counts = new Map<number, number>();
    const shares = page.filter((entry) => {
      const business = list.businessOf(entry);
      const count = (counts.get(business) ?? 0) + 1;
      counts.set(business, count);
      return count <= list.shareOf(business);
    });
    if (shares.length === page.length) return [...kept, ...page];
    const cut = new Set([...counts].filter(([business, count]) => count > list.shareOf(business)).map(([id]) => id));
    for (const business of cut) without.add(business);
    kept.push(...shares.filter((entry) => cut.has(list.businessOf(entry))));
  }
}

/** One parameter of a statement for each value. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ");
}
