import { z } from "zod";

export type DescribedSchema = z.core.JSONSchema.BaseSchema;

const KNOWN = { input: new WeakMap<z.ZodType, DescribedSchema>(), output: new WeakMap<z.ZodType, DescribedSchema>() };

/** A schema as JSON Schema: what it takes, or what it gives. What only code checks is not described. */
export function describedSchema(schema: z.ZodType, side: "input" | "output"): DescribedSchema {
  const known = KNOWN[side].get(schema) ?? z.toJSONSchema(schema, { io: side, unrepresentable: "any" });
  KNOWN[side].set(schema, known);
  return known;
}

/** JSON Schema has `true` for anything; this has an empty object for it. */
export function asDescribed(schema: z.core.JSONSchema._JSONSchema): DescribedSchema {
  return typeof schema === "boolean" ? {} : schema;
}
