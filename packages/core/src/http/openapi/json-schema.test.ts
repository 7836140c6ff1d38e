import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createSchemaWriter } from "./json-schema.js";

function written(schema: z.ZodType, side: "input" | "output" = "output") {
  const writer = createSchemaWriter({ input: [], output: [], [side]: [schema] });
  return { schema: writer.schemaOf(schema, side), components: writer.components };
}

describe("A schema in the document", () => {
  it("writes a schema once and references it by its id", () => {
    const money = z.object({ amount: z.number() }).meta({ id: "Money" });
    expect(written(z.object({ price: money, tax: money.nullable() }))).toEqual({
      schema: {
        type: "object",
        properties: {
          price: { $ref: "#/components/schemas/Money" },
          tax: { anyOf: [{ $ref: "#/components/schemas/Money" }, { type: "null" }] },
        },
        required: ["price", "tax"],
      },
      components: { Money: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] } },
    });
    expect(written(money).schema).toEqual({ $ref: "#/components/schemas/Money" });
  });

  it("a schema allows fields of later versions, and mentions it only for open records", () => {
    expect(written(z.object({ a: z.int() })).schema).not.toHaveProperty("additionalProperties");
    expect(written(z.looseObject({ a: z.int() })).schema).toMatchObject({ additionalProperties: {} });
  });

  it.each([
    [z.string().nullable(), { type: ["string", "null"] }],
    [z.enum(["A", "B"]).nullable(), { type: ["string", "null"], enum: ["A", "B", null] }],
    [z.iso.datetime(), { type: "string", format: "date-time" }],
    [z.int(), { type: "integer" }],
    [z.int().min(1), { type: "integer", minimum: 1 }],
    [
      z.record(z.enum(["A", "B"]), z.int()),
      { type: "object", properties: { A: { type: "integer" }, B: { type: "integer" } }, required: ["A", "B"] },
    ],
  ])("writes a schema briefly (%#)", (schema, expected) => {
    expect(written(z.object({ field: schema })).schema).toMatchObject({ properties: { field: expected } });
  });

  it("describes the wire format of a parameter rather than its text", () => {
    const page = z
      .string()
      .transform(Number)
      .meta({ wire: { type: "integer", minimum: 1 } });
    const query = z.object({ page: page.optional().describe("From 1.") });
    expect(written(query, "input").schema).toMatchObject({
      properties: { page: { type: "integer", minimum: 1, description: "From 1." } },
    });
  });

  it("refuses two schemas with the same id", () => {
    const one = z.object({ a: z.string() }).meta({ id: "Thing" });
    const other = z.object({ b: z.string() }).meta({ id: "Thing" });
    expect(() => createSchemaWriter({ input: [one], output: [other] })).toThrow("Thing");
  });

  it("refuses a schema that is missing from the lists", () => {
    expect(() => createSchemaWriter({ input: [], output: [] }).schemaOf(z.string(), "input")).toThrow("input");
  });
});
