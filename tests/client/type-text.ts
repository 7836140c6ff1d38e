/** A part of the description of the interface. */
export type Json = Readonly<Record<string, unknown>>;

const REFERENCE = "#/components/schemas/";

/** Names that would hide those of the language, or say too little outside the description. */
const RENAMED: Readonly<Record<string, string>> = { Event: "BusinessEvent", User: "LoginUser" };

/** A component as a declaration. `isTaken`: requests have it. */
export function writeNamed(name: string, schema: Json, isTaken: boolean): string {
  const type = typeOf(schema, isTaken, "");
  const code = schema.type === "object" ? `interface ${name} ${type}` : `type ${name} = ${type};`;
  return `${commentOf(schema, "")}export ${code}\n`;
}

/** A schema as a type. What is taken may be undefined where it may be missing, and read-only. */
export function typeOf(schema: Json, isTaken: boolean, indent: string): string {
  const { $ref, const: only, anyOf, oneOf, allOf, type } = schema;
  const each = (schemas: unknown) => listOf(schemas).map((one) => typeOf(one, isTaken, indent));
  if (typeof $ref === "string") return nameOf($ref.slice(REFERENCE.length));
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (anyOf !== undefined || oneOf !== undefined) return each(anyOf ?? oneOf).join(" | ");
  if (allOf !== undefined) return `(${each(allOf).join(" & ")})`;
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one }, isTaken, indent)).join(" | ");
  if (schema.prefixItems !== undefined) return `${isTaken ? "readonly " : ""}[${each(schema.prefixItems).join(", ")}]`;
  if (type === "array") return arrayOf(typeOf(Object(schema.items), isTaken, indent), isTaken);
  if (type === "object") return objectOf(schema, isTaken, indent);
  if (schema.not !== undefined) return "undefined"; // never given
  if (type === "integer") return "number";
  return typeof type === "string" ? type : "unknown";
}

function arrayOf(item: string, isTaken: boolean): string {
  const isUnion = item.includes("|") && !item.startsWith("{");
  return `${isTaken ? "readonly " : ""}${isUnion ? `(${item})` : item}[]`;
}

function objectOf(schema: Json, isTaken: boolean, indent: string): string {
  const properties = membersOf(schema, "properties");
  const { required, additionalProperties } = schema;
  const names = Object.keys(properties);
  if (names.length === 0) {
    return additionalProperties === undefined
      ? "Record<string, never>"
      : `Record<string, ${typeOf(Object(additionalProperties), isTaken, indent)}>`;
  }
  const inner = `${indent}  `;
  const lines = names.map((name) => {
    const property = properties[name] ?? {};
    const isRequired = Array.isArray(required) && required.includes(name);
    const type = typeOf(property, isTaken, inner);
    const missing = isTaken && !isRequired && type !== "unknown" && type !== "undefined" ? " | undefined" : "";
    return `${commentOf(property, inner)}${inner}${name}${isRequired ? "" : "?"}: ${type}${missing};`;
  });
  return `{\n${lines.join("\n")}\n${indent}}`;
}

function commentOf({ description, default: preset, format }: Json, indent: string): string {
  const parts = [
    ...(typeof description === "string" ? [description.replace(/\.?$/, ".")] : []),
    ...(preset === undefined ? [] : [`Default: ${JSON.stringify(preset)}.`]),
    ...(format === "date-time" && description === undefined ? ["ISO 8601, in UTC."] : []),
  ];
  return parts.length === 0 ? "" : `${indent}/** ${parts.join(" ")} */\n`;
}

export function nameOf(component: string): string {
  return RENAMED[component] ?? component;
}

export function capital(name: string): string {
  return name.replace(/^./, (letter) => letter.toUpperCase());
}

export function membersOf(of: Json | undefined, name: string): Readonly<Record<string, Json>> {
  return Object(of?.[name]);
}

function listOf(schemas: unknown): Json[] {
  return Array.isArray(schemas) ? schemas.map((schema) => Object(schema)) : [];
}
