import { err, ok, type Result } from "neverthrow";
import type { Minor } from "../kernel/money.js";
import type { Problem } from "../kernel/problem.js";
import { costOf } from "./cost.js";
import { type Recurrence, type RecurringTotals, recurringTotals } from "./recurring.js";
import type { Line, Steps, Totals, TotalsInput } from "./totals-parts.js";

/** A line with all that has a price. */
export interface PricedLine extends Line {
  readonly recurring?: Recurrence | undefined; // absent = charged once
  readonly unitCost?: number | undefined; // what a unit costs the business; absent = not known
}

export interface PriceInput extends TotalsInput {
  readonly lines: readonly PricedLine[];
}

/** The figures of a budget beside its totals. A field is absent where there is nothing of it. */
export interface FurtherFigures {
  readonly recurring?: readonly RecurringTotals[];
  readonly cost?: Minor; // what the budget costs the business
}

/** What later cycles come to, and the cost. Errors: those of recurringTotals and costOf. */
export function furtherFigures(
  totals: Totals,
  input: PriceInput,
  steps: Steps = null,
): Result<FurtherFigures, Problem> {
  if (!input.lines.some(hasFurther)) return ok({}); // as most budgets
  const recurring = recurringTotals(totals, input, steps);
  if (recurring.isErr()) return err(recurring.error);
  const cost = costOf(input, steps);
  if (cost.isErr()) return err(cost.error);
  const net = totals.subtotal - totals.discount;
  if (cost.value !== null) steps?.push({ kind: "margin", net, cost: cost.value, margin: net - cost.value });
  return ok({
    ...(recurring.value.length === 0 ? {} : { recurring: recurring.value }),
    ...(cost.value === null ? {} : { cost: cost.value }),
  });
}

function hasFurther({ recurring, unitCost }: PricedLine): boolean {
  return recurring !== undefined || unitCost !== undefined;
}
