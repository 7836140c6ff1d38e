/** The requested page of a list. */
export interface PageRequest {
  readonly page: number; // from 1
  readonly limit: number; // 1 to 100
}

/** One page of a list. */
export interface Page<T> {
  readonly entries: readonly T[];
  readonly total: number; // entries of the whole list
  readonly totalIsLowerBound?: true; // the count stopped early: the list has at least `total` entries
  readonly nextCursor: string | null; // null = the last page, or a list without cursors
}

/** The pagination object of the contract. */
export interface Pagination {
  /** Number of the page, from 1. */
  readonly page: number;
  /** Entries per page at most. */
  readonly limit: number;
  /** Entries in all pages. */
  readonly total: number;
  /** Number of pages. */
  readonly totalPages: number;
  /** True when a further page exists. */
  readonly hasMore: boolean;
}

/** The pagination of a list that also supports cursors. */
export interface CursorPagination extends Pagination {
  readonly nextCursor: string | null; // null = the last page
  readonly totalIsLowerBound?: true; // the list has at least `total` entries; absent = exactly
}

export const DEFAULT_PAGE_LIMIT = 10;
export const MAX_PAGE_LIMIT = 100;

export function paginationOf(request: PageRequest, page: Pick<Page<unknown>, "total">): Pagination {
  const totalPages = Math.ceil(page.total / request.limit);
  return {
    page: request.page,
    limit: request.limit,
    total: page.total,
    totalPages,
    hasMore: request.page < totalPages,
  };
}
