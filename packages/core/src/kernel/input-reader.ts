import { ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Problem } from "./problem.js";
import { parseInput } from "./validation.js";

/**
 * `parseInput` for one schema, without the schema library where the library has nothing to do: for an object of plain
 * texts, such as the parameters of a path, and for a schema that accepts anything.
 */
export function inputReader<S extends z.ZodType>(schema: S): (input: unknown) => Result<z.output<S>, Problem> {
  const isUnchanged = unchangedCheck(schema);
  const isOutput = (input: unknown): input is z.output<S> => isUnchanged(input);
  return (input) => (isOutput(input) ? ok(input) : parseInput(schema, input));
}

/** A check that only accepts input that the schema would return unchanged. */
function unchangedCheck(schema: z.ZodType): (input: unknown) => boolean {
  if (schema instanceof z.ZodUnknown) return () => true;
  const names = plainNamesOf(schema);
  return (input) => names !== null && isTextsOf(names, input);
}

/** The names in an object of texts without further rules; null = another schema. */
function plainNamesOf(schema: z.ZodType): readonly string[] | null {
  if (!(schema instanceof z.ZodObject)) return null;
  const entries = Object.entries<unknown>(schema.shape);
  const isPlain = entries.every(([, entry]) => entry instanceof z.ZodString && (entry.def.checks ?? []).length === 0);
  return isPlain ? entries.map(([name]) => name) : null;
}

/** True for an object with exactly these names, each with a text. */
function isTextsOf(names: readonly string[], input: unknown): boolean {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return false;
  let count = 0;
  for (const name in input) {
    if (!names.includes(name) || typeof Reflect.get(input, name) !== "string") return false;
    count += 1;
  }
  return count === names.length;
}
