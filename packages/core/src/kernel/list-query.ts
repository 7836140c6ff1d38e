import { err, ok, type Result } from "neverthrow";
import type { z } from "zod";
import { at } from "./arrays.js";
import { foldForSearch } from "./fold-for-search.js";
import { type CursorPagination, type Page, paginationOf } from "./page.js";
import { invalid, type Problem } from "./problem.js";

/** Separates the fields of a search text: a control character that no search contains. */
const FIELD_SEPARATOR = "\u001f";

/** The text that a search scans: the fields, folded and separated, so that no match spans two fields. */
export function searchTextOfFields(fields: readonly string[]): string {
  return foldForSearch(fields.join(FIELD_SEPARATOR));
}

interface ListOrder {
  readonly sort: string;
  readonly order: "asc" | "desc";
}

/** What a cursor holds: the number of the page that it leads to, and the keyset position before that page. */
export interface Cursor<Key> {
  readonly page: number;
  readonly key: Key;
}

/** The start of a page: after a number of entries, or after a keyset position. */
export type Position<Key> =
  | { readonly kind: "offset"; readonly offset: number }
  | { readonly kind: "after"; readonly key: Key };

/** The start of the requested page: a cursor, if there is one, else a page number. Errors: 400 for an invalid cursor. */
export function pageStartOf<Key>(
  { cursor, page, limit }: { readonly cursor?: string | undefined; readonly page: number; readonly limit: number },
  decode: (cursor: string) => Cursor<Key> | null,
): Result<{ readonly page: number; readonly position: Position<Key> }, Problem> {
  if (cursor === undefined) return ok({ page, position: { kind: "offset", offset: (page - 1) * limit } });
  const decoded = decode(cursor);
  if (decoded !== null) return ok({ page: decoded.page, position: { kind: "after", key: decoded.key } });
  return err(invalid("cursor", "INVALID_VALUE", "must be the nextCursor of a list with the same sort and order"));
}

/** The pagination of page number `page`, with the cursor of the next page. */
export function cursorPaginationOf(
  page: number,
  { limit, ...order }: ListOrder & { readonly limit: number },
  found: Pick<Page<unknown>, "total" | "totalIsLowerBound" | "nextCursor">,
): CursorPagination {
  const nextCursor = found.nextCursor === null ? null : encodeCursor(found.nextCursor, page + 1, order);
  const pagination = { ...paginationOf({ page, limit }, found), nextCursor };
  if (found.totalIsLowerBound !== true) return pagination;
  return { ...pagination, hasMore: nextCursor !== null, totalIsLowerBound: true };
}

const CURSOR = /^([1-9]\d{0,8})\.(\w+)\.(asc|desc)\.([\w-]+)$/;

/** The cursor of page number `page`, after the keyset position that `position` encodes. */
export function encodeCursor(position: string, page: number, { sort, order }: ListOrder): string {
  return `${page}.${sort}.${order}.${position}`;
}

/** Reads a cursor; null for text that is no cursor, and for a cursor of another order. */
export function decodeCursor<Key extends { readonly value: number | string }>(
  text: string,
  { sort, order }: ListOrder,
  decodeKey: (position: string) => Key | null,
  isText: boolean, // whether the list is ordered by text
): Cursor<Key> | null {
  const match = CURSOR.exec(text);
  if (match === null || match[2] !== sort || match[3] !== order) return null;
  const key = decodeKey(at(match, 4));
  return key !== null && (typeof key.value === "string") === isText ? { page: Number(match[1]), key } : null;
}

/** A keyset position as text that is safe in a URL. */
export function encodePosition(values: readonly (number | string)[]): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

/** The values of a keyset position; null for text that {@link encodePosition} did not make of values of this schema. */
export function decodePosition<S extends z.ZodType<readonly (number | string)[]>>(
  text: string,
  schema: S,
): z.output<S> | null {
  const decoded = schema.safeParse(parseJson(Buffer.from(text, "base64url").toString()));
  return decoded.success && encodePosition(decoded.data) === text ? decoded.data : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
