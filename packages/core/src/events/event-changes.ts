import { z } from "zod";

/** Bytes of JSON. Each subscriber gets a copy, so that a small change of a large record must not make a large event. */
export const MAX_DATA_BYTES = 16 * 1024;

/** Whether this is more than the data of an event may hold. */
export function isTooLarge(data: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(data)) > MAX_DATA_BYTES;
}

/** A field that has another value. */
export const fieldChangeSchema = z
  .object({
    /** A field has another value. */
    kind: z.literal("field"),
    /** Name of the field in a read of the record. */
    field: z.string().describe("Name of the field in a read of the record."),
    /** The value before; null = none. Amounts are in the currency's major unit. */
    before: z.unknown().describe("The value before; null = none. Amounts are in the currency's major unit."),
    /** The value after; null = none. */
    after: z.unknown().describe("The value after; null = none."),
  })
  .meta({ id: "FieldChange" });
export type FieldChange = z.infer<typeof fieldChangeSchema>;

/** An absent value is null. */
export function fieldChange(field: string, before: unknown, after: unknown): FieldChange {
  return { kind: "field", field, before: before ?? null, after: after ?? null };
}
