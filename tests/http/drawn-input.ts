import { drawInteger, drawOne } from "@budgetkit/testing";
import type { z } from "zod";
import type { Random } from "../../packages/core/src/kernel/random.js";
import { asDescribed, type DescribedSchema, describedSchema } from "../operations/described-schema.js";

/** What a fuzz knows of a field that its schema does not tell: values by the field's name; null = nothing. */
export type Hint = (field: string) => unknown;

/**
 * Draws input that a schema is likely to take: what is optional is given about every third time, choices and bounds
 * are kept to. What only code checks (a date, a currency) is left to the hint.
 */
export function drawInput(random: Random, schema: z.ZodType, hint: Hint): unknown {
  return drawValue(random, describedSchema(schema, "input"), "", hint);
}

function drawValue(random: Random, schema: DescribedSchema, field: string, hint: Hint): unknown {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return drawValue(random, asDescribed(drawOne(random, choices)), field, hint);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return drawOne(random, schema.enum);
  switch (schema.type) {
    case "object":
      return drawObject(random, schema, hint);
    case "array":
      return drawList(random, schema, field, hint);
    case "integer":
    case "number":
      return hint(field) ?? drawNumber(random, schema);
    case "boolean":
      return drawInteger(random, 2) === 0;
    case "null":
      return null;
    default:
      return hint(field) ?? drawOne(random, TEXTS);
  }
}

const TEXTS = ["text", "Ñandú", "a", "0", "<b>", "12"];
const NUMBERS = [0, 1, 2, 3, 10, 0.21, 0.5, 2.5, 12.34, 100, 1_000];

function drawObject(random: Random, { properties, required = [] }: DescribedSchema, hint: Hint): unknown {
  if (properties === undefined) return { [drawOne(random, TEXTS)]: drawOne(random, [1, null, "x", { a: [true] }]) };
  const possible = Object.entries(properties).filter(([, each]) => asDescribed(each).not === undefined);
  const given = possible.filter(([name]) => required.includes(name) || drawInteger(random, 3) === 0);
  return Object.fromEntries(given.map(([name, each]) => [name, drawValue(random, asDescribed(each), name, hint)]));
}

function drawList(random: Random, { items, minItems = 0, maxItems = 4 }: DescribedSchema, field: string, hint: Hint) {
  if (items === undefined || Array.isArray(items)) return [];
  const hinted = hint(field);
  if (Array.isArray(hinted)) return hinted;
  const length = Math.min(maxItems, minItems + drawInteger(random, 3));
  return Array.from({ length }, () => drawValue(random, asDescribed(items), field, hint));
}

function drawNumber(random: Random, schema: DescribedSchema): number {
  const { type, minimum = -1, maximum = 1e6, exclusiveMinimum = -1 } = schema;
  const fitting = NUMBERS.filter((value) => {
    const isWithin = value >= minimum && value <= maximum && value > Number(exclusiveMinimum);
    return isWithin && (type === "number" || Number.isInteger(value));
  });
  return fitting.length === 0 ? minimum : drawOne(random, fitting);
}
