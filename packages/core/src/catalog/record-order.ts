import { z } from "zod";
import { at } from "../kernel/at.js";
import { foldForSearch } from "../kernel/search-text.js";
import type { CatalogSort, RecordKey } from "./catalog-store.js";
import type { CatalogRecord } from "./record.js";

/** The place of a record in a list that is ordered by `sort`. Stores order by it and resume behind it. */
export function recordKeyOf({ id, name, createdAt }: CatalogRecord, sort: CatalogSort): RecordKey {
  return { value: sort === "name" ? foldForSearch(name) : createdAt, id };
}

/** Compares two places in ascending order. Text is compared by the bytes of its UTF-8, as a binary collation does. */
export function compareRecordKeys(a: RecordKey, b: RecordKey): number {
  return compareValues(a.value, b.value) || compareText(a.id, b.id);
}

function compareValues(a: number | string, b: number | string): number {
  return typeof a === "number" && typeof b === "number" ? a - b : compareText(String(a), String(b));
}

function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

interface ListOrder {
  readonly sort: CatalogSort;
  readonly order: "asc" | "desc";
}

/** The longest name, each character folded to several bytes, in base64, is shorter. */
export const MAX_CURSOR = 4_096;

const CURSOR = /^([1-9]\d{0,8})\.(\w+)\.(asc|desc)\.([\w-]+)$/;

/** What a client hands back to get the next page: the page's number, the order, and the entry to resume behind. */
export function encodeRecordCursor(position: string, page: number, { sort, order }: ListOrder): string {
  return `${page}.${sort}.${order}.${position}`;
}

/** The place that a cursor names; null for text that is no cursor or one of another order. */
export function decodeRecordCursor(text: string, { sort, order }: ListOrder): { page: number; key: RecordKey } | null {
  const match = CURSOR.exec(text);
  if (match === null || match[2] !== sort || match[3] !== order) return null;
  const key = decodeRecordKey(at(match, 4));
  const isFitting = key !== null && (typeof key.value === "string") === (sort === "name");
  return isFitting ? { page: Number(match[1]), key } : null;
}

/** A place in a list as a cursor carries it. */
export function encodeRecordKey({ value, id }: RecordKey): string {
  return Buffer.from(JSON.stringify([value, id])).toString("base64url");
}

/** The place that a cursor names, or null when the text was not made by {@link encodeRecordKey}. */
export function decodeRecordKey(text: string): RecordKey | null {
  const place = keyTuple.safeParse(parseJson(Buffer.from(text, "base64url").toString()));
  if (!place.success) return null;
  const [value, id] = place.data;
  return encodeRecordKey({ value, id }) === text ? { value, id } : null;
}

const keyTuple = z.tuple([z.union([z.int(), z.string()]), z.string()]);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
