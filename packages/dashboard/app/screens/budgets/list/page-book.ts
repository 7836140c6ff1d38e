import type { PageStart } from "./load-page.js";
import { FIRST } from "./load-page.js";

/**
 * Where the pages of an endless list begin, and how many rows each has. The rows themselves may be forgotten and read
 * again: a page is known by its start.
 */
export interface PageBook {
  readonly starts: readonly PageStart[];
  /** The rows of all pages up to each one, that one included; shorter than `starts` by the pages not read yet. */
  readonly ends: readonly number[];
}

export const EMPTY_BOOK: PageBook = { starts: [FIRST], ends: [] };

/** Notes what a page had. Where the next page now begins elsewhere, what came after it is forgotten. */
export function note(book: PageBook, page: number, rows: number, next: PageStart | null): PageBook {
  if (page > book.ends.length) return book;
  const before = page === 0 ? 0 : (book.ends[page - 1] ?? 0);
  const known = book.ends[page];
  const following = book.starts[page + 1] ?? null;
  const isSameNext = known !== undefined && sameStart(following, next);
  const moved = before + rows - (known ?? 0);
  if (isSameNext && moved === 0) return book;
  if (isSameNext) return { ...book, ends: book.ends.map((end, index) => (index < page ? end : end + moved)) };
  return {
    starts: [...book.starts.slice(0, page + 1), ...(next === null ? [] : [next])],
    ends: [...book.ends.slice(0, page), before + rows],
  };
}

export function rowsOf({ ends }: PageBook): number {
  return ends.at(-1) ?? 0;
}

/** Whether all pages were read. */
export function isComplete({ starts, ends }: PageBook): boolean {
  return starts.length === ends.length;
}

/** The page of a row that was read, and its place there. */
export function placeOf({ ends }: PageBook, row: number): { readonly page: number; readonly index: number } {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) > row) high = middle;
    else low = middle + 1;
  }
  return { page: low, index: row - (low === 0 ? 0 : (ends[low - 1] ?? 0)) };
}

/** The pages that show these rows, and the next one where they are near the end. */
export function pagesFor(book: PageBook, firstRow: number, lastRow: number, ahead: number): readonly number[] {
  if (book.ends.length === 0) return [0];
  const rows = rowsOf(book);
  const first = placeOf(book, Math.min(firstRow, Math.max(0, rows - 1))).page;
  const last = placeOf(book, Math.min(lastRow, Math.max(0, rows - 1))).page;
  const wantsNext = lastRow + ahead >= rows && !isComplete(book);
  const end = wantsNext ? book.ends.length : last;
  const start = Math.min(first, book.ends.length - 1);
  return Array.from({ length: end - start + 1 }, (_, index) => start + index);
}

function sameStart(left: PageStart | null, right: PageStart | null): boolean {
  return left?.list === right?.list && left?.cursor === right?.cursor;
}
