import { err, ok, type Result } from "neverthrow";
import { brokenRule, invalid, type Problem } from "../kernel/problem.js";
import { inOrderOfComputation, MAX_TAXES, type TaxRule } from "./tax-rule.js";

/** A tax that a business has named. Its budgets have copies. */
export interface NamedTax extends TaxRule {
  /** True = on budgets that are created without taxes and without a taxRate. */
  readonly default: boolean;
}

/** Named taxes of one business at most. */
export const MAX_NAMED_TAXES = 20;

/**
 * Checks that the taxes can be computed together, and that one budget can have all that are its defaults.
 * Errors: DUPLICATE_TAX, UNKNOWN_TAX, INVALID_TAX_BASE, TAX_CYCLE; 400 MAX_LENGTH.
 */
export function checkNamedTaxes(taxes: readonly NamedTax[]): Result<void, Problem> {
  return inOrderOfComputation(taxes)
    .mapErr((problem) =>
      problem.kind === "rule" && problem.rule === "UNKNOWN_TAX" ? { ...problem, message: UNKNOWN } : problem,
    )
    .andThen(() => checkTaxCount(defaultTaxes(taxes)));
}

/** Errors: 400 MAX_LENGTH for more taxes than a budget can have. */
export function checkTaxCount(taxes: readonly TaxRule[]): Result<void, Problem> {
  if (taxes.length <= MAX_TAXES) return ok(undefined);
  return err(invalid("taxes", "MAX_LENGTH", `A budget has at most ${MAX_TAXES} taxes, those of its lines included.`));
}

/** The taxes of a new budget that names none. */
export function defaultTaxes(taxes: readonly NamedTax[]): readonly TaxRule[] {
  return taxesOf(
    taxes.filter((tax) => tax.default).map(({ id }) => id),
    taxes,
  );
}

/**
 * Copies of the taxes of these ids, and of those that their bases contain, in the order of the business. Unknown ids are
 * left out.
 */
export function taxesOf(ids: readonly string[], taxes: readonly NamedTax[]): readonly TaxRule[] {
  const wanted = new Set<string>();
  const pending = [...ids];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (wanted.has(id)) continue;
    wanted.add(id);
    pending.push(...(taxes.find((tax) => tax.id === id)?.on ?? []));
  }
  return taxes.filter(({ id }) => wanted.has(id)).map(copyOf);
}

/** The tax as a budget has it. */
export function copyOf({ default: _isDefault, ...rule }: NamedTax): TaxRule {
  return rule;
}

const UNKNOWN = "The business has no tax of this id.";

export function unknownNamedTax(field: string, id: string): Problem {
  return brokenRule("UNKNOWN_TAX", UNKNOWN, { field, id });
}
