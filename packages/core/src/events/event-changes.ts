import type { FieldChange } from "./field-change.js";

/** Bytes of JSON. Each subscriber gets a copy, so that a small change of a large record must not make a large event. */
export const MAX_DATA_BYTES = 16 * 1024;

/** Whether this is more than the data of an event may hold. */
export function isTooLarge(data: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(data)) > MAX_DATA_BYTES;
}

/** An absent value is null. */
export function fieldChange(field: string, before: unknown, after: unknown): FieldChange {
  return { kind: "field", field, before: before ?? null, after: after ?? null };
}
