export interface Neighbours {
  /** From 1. */
  readonly position: number;
  readonly total: number;
  readonly previous: string | null;
  readonly next: string | null;
}

/**
 * The place of a budget in a list that was loaded before: a page, or the pages that an endless list has so far. Null =
 * it is not in it.
 */
export function neighboursIn(list: unknown, id: string): Neighbours | null {
  const pages = pagesIn(list);
  const ids = pages.flatMap(({ ids }) => ids);
  const index = ids.indexOf(id);
  if (index < 0) return null;
  return {
    position: index + 1,
    total: Math.max(ids.length, pages[0]?.total ?? 0),
    previous: ids[index - 1] ?? null,
    next: ids[index + 1] ?? null,
  };
}

interface ListedPage {
  readonly ids: readonly string[];
  readonly total: number;
}

function pagesIn(list: unknown): readonly ListedPage[] {
  const { pages }: { pages?: unknown } = Object(list);
  return (Array.isArray(pages) ? pages : [list]).map((page) => {
    const { data, pagination }: { data?: unknown; pagination?: unknown } = Object(page);
    const { total }: { total?: unknown } = Object(pagination);
    const ids = (Array.isArray(data) ? data : []).map((entry) => String(Object(entry).id));
    return { ids, total: typeof total === "number" ? total : 0 };
  });
}
