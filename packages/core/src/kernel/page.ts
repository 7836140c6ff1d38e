/** Which part of a list is asked for: a page by number, or the page behind a cursor. */
export interface PageRequest {
  readonly page: number; // from 1
  readonly limit: number; // 1 to 100
}

/** One page of a list and what is needed to ask for the others. */
export interface Page<T> {
  readonly entries: readonly T[];
  readonly total: number; // entries in the whole list, not only in this page
  readonly nextCursor: string | null; // null = this page is the last, or the list has no cursors
}

/** The contract's pagination object. */
export interface Pagination {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly totalPages: number;
  readonly hasMore: boolean;
}

/** That of a list which can be walked by cursor as well. */
export interface CursorPagination extends Pagination {
  readonly nextCursor: string | null; // null = this page is the last
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
