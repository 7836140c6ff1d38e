import { z } from "zod";
import { nearestName } from "./known-names.js";
import { type FieldError, invalidFields, type Problem } from "./problem.js";

const MAX_ERRORS = 100;
const MAX_NAME = 64;

/** The fields of `input` that its schema does not have, as an `invalid` problem; null = it has all of them. */
export function checkUnknownFields(schema: z.core.$ZodType, input: unknown): Problem | null {
  const errors = unknownFields(schema, input, "");
  return errors.length === 0 ? null : invalidFields(errors.slice(0, MAX_ERRORS));
}

function unknownFields(schema: z.core.$ZodType, input: unknown, path: string): readonly FieldError[] {
  if (typeof input !== "object" || input === null) return [];
  if (schema instanceof z.ZodObject) return unknownIn(schema, input, path);
  if (schema instanceof z.ZodArray) {
    const list: readonly unknown[] = Array.isArray(input) ? input : [];
    return list.flatMap((entry, index) => unknownFields(schema.element, entry, `${path}[${index}]`));
  }
  if (schema instanceof z.ZodUnion) {
    const branches = schema.options.map((option) => unknownFields(option, input, path));
    return branches.reduce((fewest, errors) => (errors.length < fewest.length ? errors : fewest));
  }
  const inner = innerOf(schema);
  return inner === null ? [] : unknownFields(inner, input, path);
}

/** The schema that reads the input first; null = one that reads any fields, such as a record. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodType | null {
  if (schema instanceof z.ZodPipe) return schema.in;
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly;
  return isWrapper ? schema.unwrap() : null;
}

function unknownIn({ shape, def }: z.ZodObject, input: object, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, value] of Object.entries(input)) {
    const field = `${path}${path === "" ? "" : "."}${name.slice(0, MAX_NAME)}`;
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (known !== undefined) errors.push(...unknownFields(known, value, field));
    else if (def.catchall === undefined && value !== undefined)
      errors.push(unknownField(field, name, Object.keys(shape)));
  }
  return errors;
}

function unknownField(field: string, name: string, known: readonly string[]): FieldError {
  const nearest = name.length > MAX_NAME ? null : nearestName(name, known);
  const advice = nearest === null ? "" : ` Did you mean "${nearest}"?`;
  return { field, code: "INVALID_VALUE", message: `There is no such field.${advice}` };
}
