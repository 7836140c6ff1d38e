import { describe, expect, it } from "vitest";
import { EMPTY_BOOK, isComplete, note, type PageBook, pagesFor, placeOf, rowsOf } from "./page-book.js";

const startOf = (page: number) => ({ list: 0, cursor: String(page) });

/** A book of pages of a hundred rows; the last one has no next. */
function bookOf(pages: number, isWhole: boolean): PageBook {
  return Array.from({ length: pages }).reduce<PageBook>(
    (book, _, page) => note(book, page, 100, isWhole && page === pages - 1 ? null : startOf(page + 1)),
    EMPTY_BOOK,
  );
}

describe("note", () => {
  it("note adds up the rows of pages, and knows the end", () => {
    expect(rowsOf(bookOf(3, false))).toBe(300);
    expect(isComplete(bookOf(3, false))).toBe(false);
    expect(isComplete(bookOf(3, true))).toBe(true);
  });

  it("returns the same book where nothing is new, so that nothing is drawn again", () => {
    const book = bookOf(3, false);
    expect(note(book, 1, 100, startOf(2))).toBe(book);
  });

  it("moves the rows behind a page that has fewer ones now", () => {
    const book = note(bookOf(3, true), 1, 98, startOf(2));
    expect(rowsOf(book)).toBe(298);
    expect(placeOf(book, 198)).toEqual({ page: 2, index: 0 });
  });

  it("forgets the pages behind one after which the list goes on elsewhere", () => {
    const book = note(bookOf(3, true), 0, 100, { list: 0, cursor: "other" });
    expect(rowsOf(book)).toBe(100);
    expect(book.starts).toEqual([...EMPTY_BOOK.starts, { list: 0, cursor: "other" }]);
    expect(isComplete(book)).toBe(false);
  });
});

describe("placeOf", () => {
  it("finds the page and the place of a row among a million", () => {
    const book: PageBook = {
      starts: Array.from({ length: 10_000 }, (_, page) => startOf(page)),
      ends: Array.from({ length: 10_000 }, (_, page) => (page + 1) * 100),
    };
    expect(placeOf(book, 0)).toEqual({ page: 0, index: 0 });
    expect(placeOf(book, 654_321)).toEqual({ page: 6_543, index: 21 });
    expect(placeOf(book, 999_999)).toEqual({ page: 9_999, index: 99 });
  });
});

describe("pagesFor", () => {
  it("pagesFor begins with the first page", () => {
    expect(pagesFor(EMPTY_BOOK, 0, 0, 60)).toEqual([0]);
  });

  it("pagesFor has the pages in sight alone, in the middle of a long list", () => {
    expect(pagesFor(bookOf(50, false), 1_290, 1_330, 60)).toEqual([12, 13]);
  });

  it("pagesFor has the next page before the end of the rows comes into sight", () => {
    expect(pagesFor(bookOf(3, false), 200, 230, 60)).toEqual([2]);
    expect(pagesFor(bookOf(3, false), 200, 245, 60)).toEqual([2, 3]);
    expect(pagesFor(bookOf(3, true), 200, 245, 60)).toEqual([2]);
  });
});
