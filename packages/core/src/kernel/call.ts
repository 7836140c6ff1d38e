import { err, type Result } from "neverthrow";
import type { z } from "zod";
import type { Actor } from "./actor.js";
import { checkActor } from "./check-actor.js";
import { withOtherIds } from "./ids.js";
import type { Problem } from "./problem.js";
import { checkUnknownFields } from "./unknown-fields.js";
import { checkJsonShape, parseInput } from "./validation.js";

/**
 * Runs an operation in process: waits until the store is ready and checks the input as HTTP does with
 * `Prefer: handling=strict`.
 * The actor is null where none is known yet. Rejects with a RangeError for an actor that the service does not understand.
 */
export interface Call {
  plain<T>(actor: Actor | null, run: () => Promise<T>): Promise<T>;
  /** Errors: 400 for input that does not fit the schema or has fields that it does not have, and those of `run`. */
  with<S extends z.ZodType, T>(
    actor: Actor | null,
    schema: S,
    input: unknown,
    run: (parsed: z.output<S>) => Promise<Result<T, Problem>>,
  ): Promise<Result<T, Problem>>;
}

/** Query parameters of a list. In process, numbers and booleans are allowed beside text. */
export type Query<S extends z.ZodType> = { readonly [K in keyof z.input<S>]: z.input<S>[K] | number | boolean };

/**
 * A connection of the host to the store's database, with an open transaction. The store defines its type: a
 * better-sqlite3 `Database` for `sqliteStore`. `memoryStore` accepts none.
 */
export type HostConnection = object;

export interface CallOptions {
  /**
   * Runs the call in the transaction that the host has open on this connection: it reads what the transaction wrote,
   * and the host commits or rolls back its writes. Without a connection the call commits by itself.
   * Rejects with a TypeError for a connection without a transaction, of another database, or of another type.
   */
  readonly connection?: HostConnection;
}

/** Returns the context of a call: the service's own, or one in the transaction of the host. */
export type ContextFor<Context> = (options?: CallOptions) => Context;

/** The parameters as text, as a query string carries them. */
export function asQueryText(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isPlain = (value: unknown) => typeof value === "number" || typeof value === "boolean";
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, isPlain(value) ? String(value) : value]),
  );
}

/** `ready` resolves when the store can be used. After `dropIds`, ids come from blocks that are reserved anew. */
export function createCall(ready: () => Promise<void>, dropIds: () => void = () => {}): Call {
  return {
    plain: async (actor, run) => {
      if (actor !== null) checkActor(actor);
      await ready();
      return await run();
    },
    with: async (actor, schema, input, run) => {
      if (actor !== null) checkActor(actor);
      const misshapen = checkJsonShape(input);
      if (misshapen !== null) return err(misshapen);
      const unknown = checkUnknownFields(schema, input);
      if (unknown !== null) return err(unknown);
      const parsed = parseInput(schema, input);
      if (parsed.isErr()) return err(parsed.error);
      await ready();
      return await withOtherIds(dropIds, () => run(parsed.value));
    },
  };
}
