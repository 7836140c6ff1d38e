import { z } from "zod";

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
