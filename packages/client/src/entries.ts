import type { CursorPage, Page, PageQuery } from "./schemas.js";

const LARGEST_PAGE = 100;

/**
 * Iterates over a list and fetches its pages on demand, by cursor if the list has one. Without a cursor, an entry may
 * repeat after others were added, and may be missed after others were removed.
 */
export async function* entriesOf<Q extends PageQuery, T>(
  list: (query: Q) => Promise<Page<T> | CursorPage<T>>,
  query: Q,
): AsyncGenerator<T, void, undefined> {
  let next: Q | null = { limit: LARGEST_PAGE, ...query };
  while (next !== null) {
    const { data, pagination }: Page<T> | CursorPage<T> = await list(next);
    yield* data;
    if ("nextCursor" in pagination) {
      next = pagination.nextCursor === null ? null : { ...next, cursor: pagination.nextCursor };
    } else {
      next = pagination.hasMore ? { ...next, page: pagination.page + 1 } : null;
    }
  }
}
