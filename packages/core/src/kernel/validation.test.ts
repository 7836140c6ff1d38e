import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Problem } from "./problem.js";
import { checkJsonShape, parseInput } from "./validation.js";

function codes(schema: z.ZodType, input: unknown): string[] {
  const problem = parseInput(schema, input)._unsafeUnwrapErr();
  if (problem.kind !== "invalid") throw new Error(`unexpected ${problem.kind}`);
  return problem.errors.map((error) => `${error.field}:${error.code}`);
}

function message(schema: z.ZodType, input: unknown): string {
  const problem = parseInput(schema, input)._unsafeUnwrapErr();
  return problem.kind === "invalid" ? (problem.errors[0]?.message ?? "") : "";
}

describe("parseInput", () => {
  it("parseInput returns the schema's output", () => {
    expect(parseInput(z.object({ page: z.string().transform(Number) }), { page: "2", other: 1 })).toMatchObject({
      value: { page: 2 },
    });
  });

  it("parseInput names the path within lists and objects, and the whole input by an empty path", () => {
    const schema = z.object({ items: z.array(z.object({ quantity: z.number() })) });
    expect(codes(schema, { items: [{}, { quantity: "1" }] })).toEqual([
      "items[0].quantity:REQUIRED",
      "items[1].quantity:INVALID_TYPE",
    ]);
    expect(codes(schema, [])).toEqual([":INVALID_TYPE"]);
    expect(codes(z.array(z.string()), [1])).toEqual(["[0]:INVALID_TYPE"]);
  });

  it("parseInput distinguishes a missing field (REQUIRED) from a wrong type (INVALID_TYPE), for any schema", () => {
    const schema = z.object({
      text: z.string(),
      choice: z.enum(["a", "b"]),
      either: z.union([z.string(), z.number()]),
    });
    expect(codes(schema, {})).toEqual(["text:REQUIRED", "choice:REQUIRED", "either:REQUIRED"]);
    expect(codes(schema, { text: null, choice: 1, either: true })).toEqual([
      "text:INVALID_TYPE",
      "choice:INVALID_TYPE",
      "either:INVALID_TYPE",
    ]);
    expect(codes(schema, { text: "", choice: "c", either: 1 })).toEqual(["choice:INVALID_VALUE"]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])("refuses %s as a number", (value) => {
    expect(codes(z.number(), value)).toEqual([":INVALID_TYPE"]);
  });

  it("parseInput distinguishes lengths (MIN_LENGTH, MAX_LENGTH) from values (MIN_VALUE, MAX_VALUE)", () => {
    expect(codes(z.string().min(2), "a")).toEqual([":MIN_LENGTH"]);
    expect(codes(z.string().max(2), "abc")).toEqual([":MAX_LENGTH"]);
    expect(codes(z.array(z.string()).min(1), [])).toEqual([":MIN_LENGTH"]);
    expect(codes(z.array(z.string()).max(1), ["a", "b"])).toEqual([":MAX_LENGTH"]);
    expect(codes(z.number().min(1), 0)).toEqual([":MIN_VALUE"]);
    expect(codes(z.number().max(1), 2)).toEqual([":MAX_VALUE"]);
    expect(codes(z.int(), 1e300)).toEqual([":MAX_VALUE"]);
    expect(codes(z.int(), 1.5)).toEqual([":INVALID_TYPE"]);
    expect(codes(z.set(z.string()).min(1), new Set())).toEqual([":MIN_LENGTH"]);
    expect(codes(z.map(z.string(), z.string()).min(1), new Map())).toEqual([":MIN_LENGTH"]);
  });

  it("parseInput reports formats, multiples, unknown keys and refused keys by their codes (INVALID_FORMAT, INVALID_VALUE)", () => {
    expect(codes(z.string().regex(/^a/), "b")).toEqual([":INVALID_FORMAT"]);
    expect(codes(z.number().multipleOf(5), 7)).toEqual([":INVALID_VALUE"]);
    expect(codes(z.strictObject({}), { extra: 1 })).toEqual([":INVALID_VALUE"]);
    expect(codes(z.record(z.string().max(2), z.unknown()), { long: 1 })).toEqual(["long:MAX_LENGTH"]);
    expect(
      codes(
        z.record(
          z.string().refine(() => false),
          z.unknown(),
        ),
        { any: 1 },
      ),
    ).toEqual(["any:INVALID_VALUE"]);
  });

  it("a refinement chooses its code, with a fallback for a code that does not exist", () => {
    const refused = (params: Record<string, unknown>) => z.string().refine(() => false, { params });
    expect(codes(refused({ code: "INVALID_FORMAT" }), "x")).toEqual([":INVALID_FORMAT"]);
    expect(codes(refused({ code: "NO_SUCH_CODE" }), "x")).toEqual([":INVALID_VALUE"]);
    expect(codes(refused({}), "x")).toEqual([":INVALID_VALUE"]);
    expect(
      codes(
        z.string().refine(() => false),
        "x",
      ),
    ).toEqual([":INVALID_VALUE"]);
  });

  it("parseInput reports the errors of the union member that came closest", () => {
    const schema = z.object({ at: z.union([z.null(), z.string().min(3), z.object({ day: z.number() })]) });
    expect(codes(schema, { at: "a" })).toEqual(["at:MIN_LENGTH"]);
    expect(codes(schema, { at: { day: "1" } })).toEqual(["at.day:INVALID_TYPE"]);
    expect(codes(schema, { at: 1 })).toEqual(["at:INVALID_TYPE"]);
    const nested = z.union([z.union([z.null(), z.boolean()]), z.number().min(3)]);
    expect(codes(nested, 1)).toEqual([":MIN_VALUE"]);
    expect(codes(nested, "x")).toEqual([":INVALID_TYPE"]);
    const tagged = z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") })]);
    expect(codes(tagged, { kind: "b" })).toEqual(["kind:INVALID_VALUE"]);
  });

  it("parseInput stops at a hundred errors and cuts long names", () => {
    expect(codes(z.array(z.string()), new Array(500).fill(1))).toHaveLength(100);
    expect(codes(z.record(z.string(), z.string()), { ["k".repeat(500)]: 1 })).toEqual([
      `${"k".repeat(64)}:INVALID_TYPE`,
    ]);
  });

  it("parseInput writes readable messages, and prefers those of the schema", () => {
    expect(message(z.string(), undefined)).toBe("This field is required.");
    expect(message(z.string(), 1)).toBe("This must be text.");
    expect(message(z.date(), 1)).toBe("This must be of another type.");
    expect(message(z.enum(["a", "b"]), undefined)).toBe("This field is required.");
    expect(message(z.enum(["a", "b"]), "c")).toBe("This must be one of a, b.");
    expect(message(z.literal("a"), "c")).toBe("This must be a.");
    expect(message(z.union([z.string(), z.number()]), undefined)).toBe("This field is required.");
    expect(message(z.union([z.string(), z.number()]), true)).toBe("This has none of the types that are allowed.");
    expect(message(z.string().min(2), "a")).toBe("This must have at least 2 characters.");
    expect(message(z.string().min(1), "")).toBe("This must have at least 1 character.");
    expect(message(z.array(z.string()).max(1), ["a", "b"])).toBe("This must have at most 1 entry.");
    expect(message(z.number().gt(1), 1)).toBe("This must be more than 1.");
    expect(message(z.number().lt(1), 1)).toBe("This must be less than 1.");
    expect(message(z.string().regex(/^a/), "b")).toBe("This does not have the expected format.");
    expect(message(z.record(z.string().max(1), z.unknown()), { ab: 1 })).toBe("This must have at most 1 character.");
    expect(message(z.number().multipleOf(5), 7)).toBe("This value is not allowed.");
    expect(message(z.string().regex(/^a/, "Begin with an a."), "b")).toBe("Begin with an a.");
  });

  it("parseInput never repeats the input in its errors", () => {
    const schema = z.object({ password: z.string().max(3), code: z.enum(["a"]) });
    expect(JSON.stringify(parseInput(schema, { password: "hunter2", code: "hunter2" }))).not.toContain("hunter2");
  });
});

describe("checkJsonShape", () => {
  const nested = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
  const fieldOf = (problem: Problem | null) => (problem?.kind === "invalid" ? problem.errors[0]?.field : problem?.kind);

  it("checkJsonShape accepts any JSON value", () => {
    expect(checkJsonShape({ a: [1, "two", null, true, { b: "🙂" }] })).toBeNull();
    expect(checkJsonShape("text")).toBeNull();
  });

  it("checkJsonShape accepts 32 levels and refuses more", () => {
    expect(checkJsonShape(nested(32))).toBeNull();
    expect(checkJsonShape(nested(33))?.kind).toBe("malformed");
    expect(checkJsonShape(nested(100_000))?.kind).toBe("malformed");
  });

  it("checkJsonShape refuses a document of very many values", () => {
    expect(checkJsonShape(new Array(19_000).fill(0))).toBeNull();
    expect(checkJsonShape(new Array(21_000).fill(0))?.kind).toBe("malformed");
  });

  it("checkJsonShape counts the names of an object before it reads their values", () => {
    let looked = 0;
    const wide: Record<string, unknown> = {};
    for (let index = 0; index < 21_000; index += 1) {
      const get = () => {
        looked += 1;
      };
      Object.defineProperty(wide, `n${index}`, { enumerable: true, get });
    }
    expect(checkJsonShape({ metadata: wide })?.kind).toBe("malformed");
    expect(looked).toBe(0);
  });

  it.each(["\u0000", "a\ud800b", "\udc00"])("checkJsonShape refuses %j in text and in names, with the path", (text) => {
    expect(fieldOf(checkJsonShape({ items: [{ description: text }] }))).toBe("items[0].description");
    expect(fieldOf(checkJsonShape({ metadata: { [text]: 1 } }))).toBe("metadata");
  });

  it.each(["1e999", "-1e999"])("checkJsonShape refuses %s at any depth, which JSON reads as infinite", (text) => {
    const problem = checkJsonShape(JSON.parse(`{"metadata":{"a":[0,{"b":${text}}]}}`));
    expect(problem).toMatchObject({ errors: [{ field: "metadata.a[1].b", code: "INVALID_TYPE" }] });
    expect(checkJsonShape(JSON.parse(`{"metadata":{"a":${text.replace("999", "308")}}}`))).toBeNull();
  });

  it.each(["__proto__", "constructor", "prototype"])("checkJsonShape refuses the name %s", (name) => {
    expect(fieldOf(checkJsonShape(JSON.parse(`{"metadata":{"${name}":1}}`)))).toBe(`metadata.${name}`);
  });
});
