import { err, ok, type Result } from "neverthrow";
import { invalid, type Problem } from "../kernel/problem.js";
import type { CatalogRecord } from "./record.js";

/** Bytes of JSON that requests may fill of one record: a budget or a list reads many records, each as a whole. */
const MAX_BYTES = 32 * 1024;

/** The record, if it is not too large. Errors: 400 MAX_LENGTH at the field that is the largest. */
export function checkSize<R extends CatalogRecord>(record: R): Result<R, Problem> {
  // the stamps do not count: a record that was taken once is not to be refused for its version
  const { businessId, id, version, createdAt, updatedAt, deletedAt, ...content } = record;
  if (bytesOf(content) <= MAX_BYTES) return ok(record);
  const fields = Object.entries(content).map(([field, value]) => ({ field, bytes: bytesOf(value) }));
  const largest = fields.reduce((a, b) => (b.bytes > a.bytes ? b : a));
  return err(invalid(largest.field, "MAX_LENGTH", `makes the whole larger than ${MAX_BYTES} bytes of JSON`));
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
