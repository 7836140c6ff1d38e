import { z } from "zod";

/** A part of the document. */
export type Json = Readonly<Record<string, unknown>>;

/** Converts zod schemas for the document. A schema with an id is written once, below `components`, and referenced. */
export interface SchemaWriter {
  /** The input or output of a schema, or a reference to it. Throws an Error for a schema missing from the lists. */
  schemaOf(schema: z.ZodType, side: Side): Json;
  /** The schemas with an id, by id. */
  readonly components: Readonly<Record<string, Json>>;
}

export type Side = "input" | "output";

/**
 * Converts all schemas at once, so that shared parts are converted once.
 * Throws an Error if two different schemas have one id.
 */
export function createSchemaWriter(lists: Readonly<Record<Side, Iterable<z.ZodType>>>): SchemaWriter {
  const components: Record<string, Json> = {};
  const written = {
    input: writeAll(lists.input, "input", components),
    output: writeAll(lists.output, "output", components),
  };
  return {
    components,
    schemaOf: (schema, side) => {
      const found = written[side].get(schema);
      if (found === undefined) throw new Error(`a schema is missing from the ${side} list`);
      return found;
    },
  };
}

const COMPONENTS = "#/components/schemas/";

function writeAll(
  schemas: Iterable<z.ZodType>,
  side: Side,
  components: Record<string, Json>,
): ReadonlyMap<z.ZodType, Json> {
  const registry = z.registry<{ id: string }>();
  const names = new Map<z.ZodType, string>();
  for (const schema of schemas) {
    if (names.has(schema)) continue;
    const name = z.globalRegistry.get(schema)?.id ?? `${UNNAMED}${names.size}`;
    names.set(schema, name);
    registry.add(schema, { id: name });
  }
  const { schemas: converted } = z.toJSONSchema(registry, {
    io: side,
    unrepresentable: "any",
    uri: (id) => COMPONENTS + id,
  });
  const { [SHARED]: shared, ...whole } = converted;
  for (const [name, schema] of Object.entries({ ...whole, ...shared?.$defs })) {
    if (!name.startsWith(UNNAMED)) addComponent(components, name, tidy(schema));
  }
  return new Map(
    [...names].map(([schema, name]) => [
      schema,
      name.startsWith(UNNAMED) ? tidy(converted[name]) : { $ref: COMPONENTS + name },
    ]),
  );
}

const UNNAMED = "_";
/** The name under which zod groups the schemas with an id that are in no list. */
const SHARED = "__shared";

function addComponent(components: Record<string, Json>, name: string, schema: Json): void {
  const known = components[name];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`two schemas have the id ${name}`);
  }
  components[name] = schema;
}

/** Members of a schema that hold schemas. */
const WITHIN = ["items", "additionalProperties", "propertyNames"];
const LISTS = ["anyOf", "oneOf", "allOf"];

/** The schema without the keywords that only zod needs. */
function tidy(schema: unknown): Json {
  if (!isJson(schema)) return {};
  const { wire, description } = schema;
  if (isJson(wire)) return { ...wire, ...(description === undefined ? {} : { description }) };
  const members = Object.entries(schema).filter(([keyword, value]) => isForClients(keyword, value, schema));
  return withNames(
    orNull(Object.fromEntries(members.map(([keyword, value]) => [nameOf(keyword), tidyMember(keyword, value)]))),
  );
}

/** Linters refuse a `oneOf` whose members differ by an optional field, as the kinds of lines do. */
function nameOf(keyword: string): string {
  return keyword === "oneOf" ? "anyOf" : keyword;
}

const LARGEST = Number.MAX_SAFE_INTEGER;

function isForClients(keyword: string, value: unknown, { format }: Json): boolean {
  switch (keyword) {
    case "id":
    case "$id":
    case "$schema":
      return false;
    case "additionalProperties": // later versions may add fields, which clients must accept
      return value !== false;
    case "pattern":
      return format === undefined;
    case "minimum":
    case "maximum":
      return Math.abs(Number(value)) !== LARGEST;
    default:
      return true;
  }
}

function tidyMember(keyword: string, value: unknown): unknown {
  if (keyword === "properties" && isJson(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, tidy(each)]));
  }
  if (keyword === "$ref") return String(value).replace(`${SHARED}#/$defs/`, "");
  if (WITHIN.includes(keyword)) return tidy(value);
  return LISTS.includes(keyword) && Array.isArray(value) ? value.map(tidy) : value;
}

/** Shortens `anyOf` of a type and null to one list of types. */
function orNull(schema: Json): Json {
  const { anyOf, ...beside } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [one, other]: unknown[] = anyOf;
  if (!isJson(one) || !isJson(other) || other.type !== "null" || typeof one.type !== "string") return schema;
  const values = Array.isArray(one.enum) ? { enum: [...one.enum, null] } : {};
  return { ...one, ...values, type: [one.type, "null"], ...beside };
}

/** Lists the properties of a record whose keys are an enum and all required. */
function withNames(schema: Json): Json {
  const { propertyNames, additionalProperties, ...beside } = schema;
  if (!isJson(propertyNames) || !Array.isArray(propertyNames.enum) || !Array.isArray(schema.required)) return schema;
  const names: readonly string[] = propertyNames.enum;
  return { ...beside, properties: Object.fromEntries(names.map((name) => [name, additionalProperties])) };
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
