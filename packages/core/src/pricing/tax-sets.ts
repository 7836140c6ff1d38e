import { err, ok, type Result } from "neverthrow";
import type { Problem } from "../kernel/problem.js";
import { isItem } from "./line-kind.js";
import { type TaxRule, unknownTax } from "./tax-rule.js";
import type { Line, Taxation } from "./totals-parts.js";

/** Which taxes are on which line. A line without `taxes` has all of the budget. */
export interface TaxSets {
  has(index: number, tax: string): boolean;
  readonly lines: number;
}

/** Errors: UNKNOWN_TAX. */
export function taxSetsOf(lines: readonly Line[], rules: readonly TaxRule[]): Result<TaxSets, Problem> {
  const known = new Set(rules.map(({ id }) => id));
  const sets: (ReadonlySet<string> | null)[] = []; // null = all
  for (const [index, line] of lines.entries()) {
    const { taxes } = line;
    const unknown = taxes?.findIndex((id) => !known.has(id)) ?? -1;
    if (unknown !== -1) return err(unknownTax(`items[${index}].taxes[${unknown}]`, taxes?.[unknown] ?? ""));
    sets.push(isItem(line) ? (taxes === undefined ? null : new Set(taxes)) : new Set());
  }
  return ok({ lines: lines.length, has: (index, tax) => sets[index]?.has(tax) ?? true });
}

/** Refuses taxes of lines where the budget has one tax for all of them. Errors: UNKNOWN_TAX. */
export function checkLineTaxes(lines: readonly Line[], { kind }: Taxation): Result<void, Problem> {
  const index = kind === "taxes" ? -1 : lines.findIndex(({ taxes }) => taxes !== undefined);
  return index === -1 ? ok(undefined) : err(unknownTax(`items[${index}].taxes`, lines[index]?.taxes?.[0] ?? ""));
}

/** The lines that have the same ones of these taxes, but for those that have none. */
export function linesByTaxes(
  sets: TaxSets,
  taxes: readonly TaxRule[],
): Iterable<{ readonly taxes: readonly TaxRule[]; readonly indexes: number[] }> {
  const groups = new Map<string, { readonly taxes: readonly TaxRule[]; readonly indexes: number[] }>();
  for (let index = 0; index < sets.lines; index += 1) {
    const ofLine = taxes.filter(({ id }) => sets.has(index, id));
    if (ofLine.length === 0) continue;
    const key = ofLine.map(({ id }) => id).join(" "); // ids have no spaces
    const group = groups.get(key) ?? { taxes: ofLine, indexes: [] };
    groups.set(key, group);
    group.indexes.push(index);
  }
  return groups.values();
}
