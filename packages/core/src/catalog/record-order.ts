import { z } from "zod";
import { type Cursor, decodeCursor, decodePosition, encodePosition } from "../kernel/list-query.js";
import type { CatalogQuery, CatalogSort, RecordKey } from "./catalog-store.js";
import type { CatalogRecord } from "./record.js";

/**
 * The keyset position of a record in a list ordered by `sort`. Stores order by it and resume after it. A name is in lower
 * case, and not folded as for a search, which makes some characters eighteen: too long for an index.
 */
export function recordKeyOf({ id, name, createdAt }: CatalogRecord, sort: CatalogSort): RecordKey {
  return { value: sort === "name" ? name.toLowerCase() : createdAt, id };
}

/** Compares two keyset positions in ascending order. Text is compared by its UTF-8 bytes, as a binary collation does. */
export function compareRecordKeys(a: RecordKey, b: RecordKey): number {
  return compareValues(a.value, b.value) || compareText(a.id, b.id);
}

function compareValues(a: number | string, b: number | string): number {
  return typeof a === "number" && typeof b === "number" ? a - b : compareText(String(a), String(b));
}

function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The longest name, each character folded to several bytes, is shorter in base64. */
export const MAX_CURSOR = 4_096;

/** Reads a cursor; null for text that is no cursor, and for a cursor of another order. */
export function decodeRecordCursor(
  text: string,
  order: Pick<CatalogQuery, "sort" | "order">,
): Cursor<RecordKey> | null {
  return decodeCursor(text, order, decodeRecordKey, order.sort === "name");
}

/** A keyset position as a cursor carries it. */
export function encodeRecordKey({ value, id }: RecordKey): string {
  return encodePosition([value, id]);
}

/** The keyset position in a cursor; null for text that {@link encodeRecordKey} did not make. */
export function decodeRecordKey(text: string): RecordKey | null {
  const position = decodePosition(text, keyTuple);
  return position === null ? null : { value: position[0], id: position[1] };
}

const keyTuple = z.tuple([z.union([z.int(), z.string()]), z.string()]);
