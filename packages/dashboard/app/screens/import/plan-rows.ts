import { type DecimalSign, decimalSignOf } from "../../formats/read-number.js";
import type { ImportKind, ImportValue } from "./import-kind.js";
import type { ColumnMapping } from "./match-columns.js";
import type { CsvRows } from "./read-csv.js";
import { type CellProblem, rowReader } from "./row-reader.js";

/** A row of the file, and what it becomes. */
export interface PlannedRow<F extends string, I> {
  /** Its number in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly input: I;
  readonly problems: ReadonlyMap<F, CellProblem>;
}

interface Plan<F extends string, I extends { readonly [Field in F]?: ImportValue }> {
  readonly kind: ImportKind<F, I>;
  readonly rows: CsvRows;
  readonly hasHeader: boolean;
  readonly mapping: ColumnMapping<F>;
  readonly decimal: DecimalSign;
}

/** Reads every row, without sending anything: each is right, or names its wrong fields. */
export function planRows<F extends string, I extends { readonly [Field in F]?: ImportValue }>(
  plan: Plan<F, I>,
): readonly PlannedRow<F, I>[] {
  const { kind, rows, hasHeader, mapping, decimal } = plan;
  const first = hasHeader ? 1 : 0;
  const seen = new Map<F, Set<ImportValue>>(kind.unique.map((field) => [field, new Set()]));
  return rows.slice(first).map((cells, index) => {
    const reader = rowReader<F>((field) => cells[mapping.indexOf(field)] ?? "", decimal);
    const input = kind.inputOf(reader);
    const problems = new Map(reader.problems);
    for (const [field, values] of seen) {
      const value = input[field];
      if (value === null || value === undefined) continue;
      if (values.has(value) && !problems.has(field)) problems.set(field, "twice");
      values.add(value);
    }
    return { line: index + first + 1, cells, input, problems };
  });
}

/** How the columns of numbers were written; the fallback where they do not show it. */
export function decimalOf<F extends string>(
  rows: CsvRows,
  mapping: ColumnMapping<F>,
  numbers: readonly F[],
  fallback: DecimalSign,
): DecimalSign {
  const columns = numbers.map((field) => mapping.indexOf(field)).filter((column) => column !== -1);
  return decimalSignOf(
    rows.flatMap((cells) => columns.map((column) => cells[column] ?? "")),
    fallback,
  );
}
