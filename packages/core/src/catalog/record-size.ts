import { err, ok, type Result } from "neverthrow";
import { invalid, type Problem } from "../kernel/problem.js";
import type { CatalogRecord } from "./record.js";

/** Bytes of JSON in one record. A budget or a list reads many whole records. */
const MAX_BYTES = 32 * 1024;

/** The record, unless it is too large. Errors: 400 MAX_LENGTH at the largest field. */
export function checkSize<R extends CatalogRecord>(record: R): Result<R, Problem> {
  // The service sets the other members: an accepted record must not become too large by a higher version.
  const { businessId, id, version, createdAt, updatedAt, deletedAt, ...content } = record;
  if (bytesOf(content) <= MAX_BYTES) return ok(record);
  const fields = Object.entries(content).map(([field, value]) => ({ field, bytes: bytesOf(value) }));
  const largest = fields.reduce((a, b) => (b.bytes > a.bytes ? b : a));
  return err(invalid(largest.field, "MAX_LENGTH", `makes the whole larger than ${MAX_BYTES} bytes of JSON`));
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
