import type { ImportField } from "./match-columns.js";
import type { RowReader } from "./row-reader.js";

/** The value of a field as it will be. */
export type ImportValue = string | number | boolean | null | undefined;

/** Something that rows of a file become. */
export interface ImportKind<F extends string, I extends { readonly [Field in F]?: ImportValue }> {
  readonly kind: "customers" | "products";
  readonly fields: readonly ImportField<F>[];
  /** Fields whose decimal sign is found by what their columns hold. */
  readonly numbers: readonly F[];
  /** Fields that are fractions and shown as percents. */
  readonly percents: readonly F[];
  /** Fields that no two records may share. */
  readonly unique: readonly F[];
  /** The content of a new record; what is wrong with it is noted by the reader. */
  readonly inputOf: (reader: RowReader<F>) => I;
  readonly create: (
    input: I,
    options: { readonly idempotencyKey: string; readonly signal: AbortSignal; readonly retries: 0 },
  ) => PromiseLike<unknown>;
}
