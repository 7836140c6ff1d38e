/**
 * The boundary between what PostgreSQL gives and what the code works with: values are checked, and stored documents,
 * which only this package writes, are taken to be what was written.
 */

/** The columns of a row, in the order in which the statement names them. */
export type Row = readonly unknown[];

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

export function asBoolean(value: unknown): boolean {
  if (typeof value !== "boolean") throw unexpected("a boolean", value);
  return value;
}

export function orNull<V, T>(value: V | null | undefined, read: (value: V) => T): T | null {
  return value === null || value === undefined ? null : read(value);
}

export function asOneOf<const T extends string>(allowed: readonly T[], value: unknown): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw unexpected(`one of ${allowed.join(", ")}`, value);
  return found;
}

/** A list that a statement gave as JSON. */
export function asList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw unexpected("a list", value);
  return value;
}

/** A field of an object that a statement gave as JSON. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) throw unexpected("an object", value);
  return Reflect.get(value, name);
}

/** A stored document. The one place that trusts a type: the text was written from a `T` by this package. */
export function asDocument<T>(value: unknown): T {
  return JSON.parse(asText(value));
}

function unexpected(expected: string, value: unknown): TypeError {
  return new TypeError(`the database holds ${typeof value} where ${expected} was expected`);
}
