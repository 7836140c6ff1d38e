import type { BudgetSummary } from "../list/budget-summary.js";

/** What is selected, by id; it stays while the list is scrolled, filtered and read again. */
export type Selection = ReadonlyMap<string, BudgetSummary>;

export const NOTHING: Selection = new Map();

export function toggle(selection: Selection, budget: BudgetSummary): Selection {
  const next = new Map(selection);
  if (!next.delete(budget.id)) next.set(budget.id, budget);
  return next;
}

export function withAll(selection: Selection, budgets: readonly BudgetSummary[]): Selection {
  return new Map([...selection, ...budgets.map((budget) => [budget.id, budget] as const)]);
}

export function without(selection: Selection, ids: readonly string[]): Selection {
  const gone = new Set(ids);
  return new Map([...selection].filter(([id]) => !gone.has(id)));
}

export interface CurrencySum {
  readonly currency: string;
  readonly amount: number;
}

const MINOR = 1_000; // no currency has more than three decimals

/** Sums by currency, in whole minor units, so that cents add up. */
export function sumsOf(selection: Selection): readonly CurrencySum[] {
  const sums = new Map<string, number>();
  for (const { currency, total } of selection.values()) {
    sums.set(currency, (sums.get(currency) ?? 0) + Math.round(total * MINOR));
  }
  return [...sums]
    .map(([currency, amount]) => ({ currency, amount: amount / MINOR }))
    .sort((left, right) => left.currency.localeCompare(right.currency));
}
