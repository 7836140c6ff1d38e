import { z } from "zod";
import { nearestName } from "./known-names.js";
import { type FieldError, invalidFields, type Problem } from "./problem.js";

const MAX_ERRORS = 100;
const MAX_NAME = 64;

/**
 * The fields of `input` that its schema does not have, as an `invalid` problem; null = it has all of them. It looks for no
 * more than it reports, because anyone may send a body with thousands of names, and each is compared with the known ones.
 */
export function checkUnknownFields(schema: z.core.$ZodType, input: unknown): Problem | null {
  const errors: FieldError[] = [];
  addUnknown(errors, schema, input, "");
  return errors.length === 0 ? null : invalidFields(errors);
}

/** Adds the unknown fields to `errors` until those are as many as are reported. */
function addUnknown(errors: FieldError[], schema: z.core.$ZodType, input: unknown, path: string): void {
  if (typeof input !== "object" || input === null) return;
  if (schema instanceof z.ZodObject) addUnknownIn(errors, schema, input, path);
  else if (schema instanceof z.ZodArray) {
    const list: readonly unknown[] = Array.isArray(input) ? input : [];
    for (const [index, entry] of list.entries()) addUnknown(errors, schema.element, entry, `${path}[${index}]`);
  } else if (schema instanceof z.ZodUnion) {
    errors.push(...fewestUnknown(schema.options, input, path).slice(0, MAX_ERRORS - errors.length));
  } else {
    const inner = innerOf(schema);
    if (inner !== null) addUnknown(errors, inner, input, path);
  }
}

/** The unknown fields of the closest branch. A branch that has all fields ends the search. */
function fewestUnknown(branches: readonly z.core.$ZodType[], input: unknown, path: string): readonly FieldError[] {
  let fewest: readonly FieldError[] | null = null;
  for (const branch of branches) {
    const errors: FieldError[] = [];
    addUnknown(errors, branch, input, path);
    if (errors.length === 0) return errors;
    if (fewest === null || errors.length < fewest.length) fewest = errors;
  }
  return fewest ?? [];
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

function addUnknownIn(errors: FieldError[], { shape, def }: z.ZodObject, input: object, path: string): void {
  for (const name of Object.keys(input)) {
    if (errors.length >= MAX_ERRORS) return;
    const value: unknown = Reflect.get(input, name);
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (known !== undefined && typeof value === "object") addUnknown(errors, known, value, fieldIn(path, name));
    else if (known === undefined && def.catchall === undefined && value !== undefined) {
      errors.push(unknownField(fieldIn(path, name), name, Object.keys(shape)));
    }
  }
}

function fieldIn(path: string, name: string): string {
  return `${path}${path === "" ? "" : "."}${name.slice(0, MAX_NAME)}`;
}

function unknownField(field: string, name: string, known: readonly string[]): FieldError {
  const meant = name.length > MAX_NAME ? [] : meantBy(name, known);
  const advice = meant.length === 0 ? "" : ` Did you mean ${meant.map((each) => `"${each}"`).join(" or ")}?`;
  return { field, code: "INVALID_VALUE", message: `A request has no such field.${advice}` };
}

/** The nearest name, or those that continue this one: a response has `discount`, a request sets `discountAmount`. */
function meantBy(name: string, known: readonly string[]): readonly string[] {
  const nearest = nearestName(name, known);
  return nearest === null ? known.filter((each) => each.startsWith(name)) : [nearest];
}
