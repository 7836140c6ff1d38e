/** An ordered list that can be read without the entries of given businesses. */
export interface SharedList<Entry> {
  /** The first `limit` entries of all but these businesses. */
  read(without: readonly string[], limit: number): readonly Entry[];
  businessOf(entry: Entry): string;
  /** How many entries of a business are read at most. */
  shareOf(business: string): number;
}

/**
 * The first `limit` entries of a list, at most its share of each business and none of the businesses of `excluded`. A
 * business above its share is excluded from the next read, so that SQLite skips its backlog. The entries of one business
 * keep their order.
 */
export function firstShares<Entry>(
  list: SharedList<Entry>,
  limit: number,
  excluded: readonly string[] = [],
): readonly Entry[] {
  const kept: Entry[] = [];
  const without = new Set(excluded);
  for (;;) {
    const page = list.read([...without], limit - kept.length);
    const counts = new Map<string, number>();
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
