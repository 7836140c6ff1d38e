import { err, ok, type Result } from "neverthrow";
import { at, numberAt } from "../kernel/arrays.js";
import type { Minor } from "../kernel/money.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { isCounted } from "./selectable.js";
import { totalsOfLines } from "./totals.js";
import type { Steps, Totals, TotalsInput } from "./totals-parts.js";

export const INTERVALS = ["week", "month", "year"] as const;

/** How often a line is charged. Its first cycle is in the figures of the budget. */
export interface Recurrence {
  readonly interval: (typeof INTERVALS)[number];
  readonly intervalCount: number; // of intervals in a cycle, from 1
  readonly cycles: number | null; // with the first, from 1; null = until ended
}

/** What each later cycle costs, of the selected lines that recur alike. The budget's discount is not in it. */
export interface RecurringTotals extends Recurrence {
  readonly subtotal: Minor;
  readonly tax: Minor;
  readonly total: Minor;
}

type RecurringLine = TotalsInput["lines"][number] & { readonly recurring?: Recurrence | undefined };
interface Input extends TotalsInput {
  readonly lines: readonly RecurringLine[];
}

/**
 * The totals of later cycles, in the order of the lines. `totals` are those of the budget.
 * Errors: TAX_RATE_REQUIRED where the tax was given as an amount, which is not known of later cycles.
 */
export function recurringTotals(totals: Totals, input: Input, steps: Steps = null): Result<RecurringTotals[], Problem> {
  const found: RecurringTotals[] = [];
  const { taxation } = input;
  for (const { recurrence, indexes } of groupsOf(input.lines)) {
    if (taxation.kind === "amount" && taxation.amount > 0) return err(taxRateRequired(indexes));
    // The lines of the group alone: a budget may have as many groups as lines.
    const amounts = Float64Array.from(indexes, (index) => amountOf(totals, index));
    const lines = indexes.map((index) => at(input.lines, index));
    const cycle = totalsOfLines(amounts, { ...input, lines, discount: 0 });
    if (cycle.isErr()) return err(cycle.error);
    const { interval, intervalCount, cycles } = recurrence;
    const { subtotal, tax, total } = cycle.value;
    found.push({ interval, intervalCount, cycles, subtotal, tax, total });
    steps?.push({ kind: "recurring", items: indexes, interval, intervalCount, cycles, subtotal, tax, total });
  }
  return ok(found);
}

interface Group {
  readonly recurrence: Recurrence;
  readonly indexes: number[];
}

/** The lines that recur alike. One cycle alone has no later ones. */
function groupsOf(lines: readonly RecurringLine[]): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const [index, line] of lines.entries()) {
    const { recurring } = line;
    if (recurring === undefined || recurring.cycles === 1 || !isCounted(line)) continue;
    const key = `${recurring.intervalCount} ${recurring.interval} ${recurring.cycles}`;
    const group = groups.get(key) ?? { recurrence: recurring, indexes: [] };
    groups.set(key, group);
    group.indexes.push(index);
  }
  return groups.values();
}

/** What the line comes to before any tax is taken out of its price. */
function amountOf({ lines, taxed }: Totals, index: number): Minor {
  const gross = taxed === undefined ? -1 : numberAt(taxed.gross, index);
  return gross >= 0 ? gross : numberAt(lines.totals, index);
}

function taxRateRequired(indexes: readonly number[]): Problem {
  const message =
    "A line recurs, and the tax was given as an amount. Send a taxRate or taxes: later cycles need a rate.";
  return brokenRule("TAX_RATE_REQUIRED", message, { field: `items[${at(indexes, 0)}].recurring` });
}
