import { err, type Result } from "neverthrow";
import type { z } from "zod";
import { type Actor, checkBusinessId } from "./actor.js";
import type { Problem } from "./problem.js";
import { checkJsonShape, parseInput } from "./validation.js";

/**
 * How an operation is called in process: once the store is ready, and with its input checked as over HTTP. Whoever acts
 * comes first; null = nobody does yet. Rejects with a RangeError for an actor whose `businessId` cannot be one.
 */
export interface Call {
  plain<T>(actor: Actor | null, run: () => Promise<T>): Promise<T>;
  with<S extends z.ZodType, T>(
    actor: Actor | null,
    schema: S,
    input: unknown,
    run: (parsed: z.output<S>) => Promise<Result<T, Problem>>,
  ): Promise<Result<T, Problem>>;
}

/** Parameters of a list: in process numbers and truth values may stand for themselves. */
export type Query<S extends z.ZodType> = { readonly [K in keyof z.input<S>]: z.input<S>[K] | number | boolean };

/** The same as a query string carries them. */
export function asQueryText(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isPlain = (value: unknown) => typeof value === "number" || typeof value === "boolean";
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, isPlain(value) ? String(value) : value]),
  );
}

/** `ready` resolves when the store can be used. Errors of `with`: 400 for input that does not fit the schema. */
export function createCall(ready: () => Promise<void>): Call {
  return {
    plain: async (actor, run) => {
      if (actor !== null) checkBusinessId(actor);
      await ready();
      return run();
    },
    with: async (actor, schema, input, run) => {
      if (actor !== null) checkBusinessId(actor);
      const misshapen = checkJsonShape(input);
      if (misshapen !== null) return err(misshapen);
      const parsed = parseInput(schema, input);
      if (parsed.isErr()) return err(parsed.error);
      await ready();
      return run(parsed.value);
    },
  };
}
