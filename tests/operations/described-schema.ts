import { z } from "zod";

export type DescribedSchema = z.core.JSONSchema.BaseSchema;

const KNOWN = { input: new WeakMap<z.ZodType, DescribedSchema>(), output: new WeakMap<z.ZodType, DescribedSchema>() };

/** A schema as JSON Schema: what it takes, or what it gives. What only code checks is not described. */
export function describedSchema(schema: z.ZodType, side: "input" | "output"): DescribedSchema {
  const known = KNOWN[side].get(schema) ?? wholeSchema(schema, side);
  KNOWN[side].set(schema, known);
  return known;
}

/** Schemas with a name are written where they are used, in the place of references. */
function wholeSchema(schema: z.ZodType, side: "input" | "output"): DescribedSchema {
  const { $defs = {}, ...whole } = z.toJSONSchema(schema, { io: side, unrepresentable: "any" });
  return withoutReferences(whole, $defs);
}

function withoutReferences(schema: DescribedSchema, named: Record<string, unknown>): DescribedSchema {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || !("$ref" in value)) return value;
    const { $ref, ...beside } = value;
    const target = asDescribed(Object(named[String($ref).replace("#/$defs/", "")]));
    return { ...withoutReferences(target, named), ...beside };
  });
}

/** JSON Schema has `true` for anything; this has an empty object for it. */
export function asDescribed(schema: z.core.JSONSchema._JSONSchema): DescribedSchema {
  return typeof schema === "boolean" ? {} : schema;
}
