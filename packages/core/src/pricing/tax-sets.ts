import { err, ok, type Result } from "neverthrow";
import { valueAt } from "../kernel/arrays.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { isItem } from "./line-kind.js";
import { type TaxRule, unknownTax } from "./tax-rule.js";
import type { Line, Taxation } from "./totals-parts.js";

/** Which taxes are on which line. A line without `taxes` has all of the budget. */
export interface TaxSets {
  /** The bit of each tax, by its id. */
  readonly bits: ReadonlyMap<string, number>;
  /** The bits of the taxes of each line, by its index. */
  readonly lines: Int32Array;
}

/** Errors: UNKNOWN_TAX. */
export function taxSetsOf(lines: readonly Line[], rules: readonly TaxRule[]): Result<TaxSets, Problem> {
  const bits = new Map(rules.map(({ id }, index) => [id, 1 << index])); // of at most 8 taxes
  const all = bitsOf(rules, bits);
  const sets = new Int32Array(lines.length);
  for (const [index, line] of lines.entries()) {
    if (!isItem(line)) continue;
    if (line.taxes === undefined) sets[index] = all;
    for (const [place, id] of (line.taxes ?? []).entries()) {
      const bit = bits.get(id);
      if (bit === undefined) return err(unknownTax(`items[${index}].taxes[${place}]`, id));
      sets[index] = Number(sets[index]) | bit;
    }
  }
  return ok({ bits, lines: sets });
}

/** Refuses taxes of lines where the budget has one tax for all of them. Errors: UNKNOWN_TAX. */
export function checkLineTaxes(lines: readonly Line[], { kind }: Taxation): Result<void, Problem> {
  const index = kind === "taxes" ? -1 : lines.findIndex(({ taxes }) => taxes !== undefined);
  if (index === -1) return ok(undefined);
  const message = "A line has taxes of its own only where the budget has taxes, and no taxRate.";
  return err(
    brokenRule("UNKNOWN_TAX", message, { field: `items[${index}].taxes`, id: lines[index]?.taxes?.[0] ?? "" }),
  );
}

/** Whether any of these taxes is on a line. */
export function hasTax({ lines }: TaxSets, index: number, bits: number): boolean {
  return (Number(lines[index]) & bits) !== 0;
}

export function bitsOf(taxes: readonly TaxRule[], bits: TaxSets["bits"]): number {
  return taxes.reduce((all, { id }) => all | valueAt(bits, id), 0);
}

interface LinesOfTaxes {
  readonly taxes: readonly TaxRule[];
  readonly indexes: number[];
}

/** The lines that have the same ones of these taxes, but for those that have none. */
export function linesByTaxes(sets: TaxSets, taxes: readonly TaxRule[]): Iterable<LinesOfTaxes> {
  const groups = new Map<number, LinesOfTaxes>();
  const wanted = bitsOf(taxes, sets.bits);
  for (const [index, set] of sets.lines.entries()) {
    const key = set & wanted;
    if (key === 0) continue;
    let group = groups.get(key);
    if (group === undefined) {
      group = { taxes: taxes.filter((tax) => (key & bitsOf([tax], sets.bits)) !== 0), indexes: [] };
      groups.set(key, group);
    }
    group.indexes.push(index);
  }
  return groups.values();
}
