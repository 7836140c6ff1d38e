/**
 * The values of database rows. Readers check the type of a value; stored documents, which only a store writes, are
 * trusted.
 */
import { mapInTurns, parseId } from "@budgetkit/core/store";

/** The columns of a row, in the order of the statement. */
export type Row = readonly unknown[];

/** A row, or a list in JSON. */
export function asList(value: unknown): Row {
  if (!Array.isArray(value)) throw unexpected("a list", value);
  return value;
}

/** A field of an object in JSON. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) throw unexpected("an object", value);
  return Reflect.get(value, name);
}

export function asText(value: unknown): string {
  if (typeof value !== "string") throw unexpected("text", value);
  return value;
}

export function asInteger(value: unknown): number {
  if (!Number.isSafeInteger(value)) throw unexpected("an integer", value);
  return Number(value);
}

export function asNumber(value: unknown): number {
  if (typeof value !== "number") throw unexpected("a number", value);
  return value;
}

/** SQLite stores booleans as 0 and 1. */
export function asBoolean(value: unknown): boolean {
  if (value === true || value === 1) return true;
  if (value === false || value === 0) return false;
  throw unexpected("a boolean", value);
}

export function orNull<V, T>(value: V | null | undefined, read: (value: V) => T): T | null {
  return value === null || value === undefined ? null : read(value);
}

export function asOneOf<const T extends string>(allowed: readonly T[], value: unknown): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw unexpected(`one of ${allowed.join(", ")}`, value);
  return found;
}

/** A stored document. Its type is trusted: a store wrote the text from a `T`. */
export function asDocument<T>(value: unknown): T {
  return JSON.parse(asText(value));
}

/** The documents of a list, parsed in turns of the event loop: a page may have megabytes. */
export function asDocuments<T>(values: readonly unknown[]): Promise<T[]> {
  return mapInTurns(values.map(asText), asDocument<T>, (text) => text.length);
}

/** An id as text. Stores keep ids as integers. */
export function asId(value: unknown): string {
  return String(asInteger(value));
}

/** Ids begin at 1, so this one matches no row. */
const NO_ID = 0;

/** The stored form of an id to look up. A text that is no id matches no row. */
export function idToFind(text: string): number {
  return parseId(text) ?? NO_ID;
}

/** The stored form of an id to write. Throws a RangeError for a text that is no id. */
export function idToWrite(text: string): number {
  const id = parseId(text);
  if (id === null) throw new RangeError(`not an id: ${JSON.stringify(text)}`);
  return id;
}

function unexpected(expected: string, value: unknown): TypeError {
  return new TypeError(`the database holds ${typeof value} where ${expected} was expected`);
}
