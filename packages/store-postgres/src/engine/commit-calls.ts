import type { Answer, Call } from "./batch-codec.js";

/** A value of a column, as it is sent in JSON. */
type ColumnValue = string | number | boolean | null | readonly string[];

/** A row as it is sent: a value for each of these columns. */
export type Columns<Names extends string> = Readonly<Record<Names, ColumnValue>>;

/** How the answer of each function is read. */
type Readers<Answers> = {
  readonly [Name in keyof Answers]: (answer: unknown, made: Answer["made"]) => Answers[Name];
};

/** The functions of the schema by which a domain changes rows. */
export interface CommitFunctions<Arguments, Answers> {
  readonly readers: Readers<Answers>;
  /** What each function takes. Never set: it carries the type. */
  readonly arguments?: Arguments;
}

/**
 * Calls a function of the schema that changes rows, in a transaction that it shares with the calls that wait at the same
 * time, and resolves after the commit. A call that throws is undone; the others are not affected.
 * `business`, `texts` and `planned` are those of `Call`.
 */
export type CommitCall<Arguments, Answers> = <Name extends string & keyof Arguments & keyof Answers>(
  name: Name,
  business: number | null,
  argument: Arguments[Name],
  beside?: Pick<Call, "texts" | "planned">,
) => Promise<Answers[Name]>;

/** Binds the type of each function's argument, by its name, to the reader of its answer. */
export function commitFunctions<Arguments>() {
  return <Answers extends Record<keyof Arguments, unknown>>(
    readers: Readers<Answers>,
  ): CommitFunctions<Arguments, Answers> => ({ readers });
}

/** Reads the answer of a function that returns nothing. */
export function asNothing(): void {}
