import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { inputReader } from "./input-reader.js";
import { parseInput } from "./validation.js";

const schemas = {
  nothing: z.object({}),
  texts: z.object({ budgetId: z.string(), revision: z.string() }),
  limited: z.object({ budgetId: z.string().min(2) }),
  formatted: z.object({ budgetId: z.email() }),
  optional: z.object({ budgetId: z.string().optional() }),
  unknown: z.unknown(),
  text: z.string(),
};

const inputs: readonly unknown[] = [
  {},
  { budgetId: "7", revision: "1" },
  { budgetId: "7", revision: 1 },
  { budgetId: "7" },
  { budgetId: "7", revision: "1", more: "x" },
  "7",
  null,
  undefined,
  [],
];

describe("inputReader", () => {
  it.each(Object.entries(schemas))("inputReader returns the same result as the schema library: %s", (_name, schema) => {
    const read = inputReader<z.ZodType>(schema);
    for (const input of inputs) {
      const expected = parseInput<z.ZodType>(schema, input);
      const found = read(input);
      expect(found.isOk()).toBe(expected.isOk());
      if (expected.isOk()) expect(found._unsafeUnwrap()).toEqual(expected.value);
      else expect(found._unsafeUnwrapErr()).toEqual(expected.error);
    }
  });

  it("inputReader reads plain texts without the schema library", () => {
    const parse = vi.spyOn(schemas.texts, "safeParse");
    const read = inputReader(schemas.texts);
    expect(read({ budgetId: "7", revision: "1" }).isOk()).toBe(true);
    expect(parse).not.toHaveBeenCalled();
    expect(read({ budgetId: "7" }).isErr()).toBe(true);
    expect(parse).toHaveBeenCalledOnce();
  });
});
