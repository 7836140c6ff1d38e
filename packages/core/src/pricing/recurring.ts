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

/** Different recurrences of one budget at most. */
const MAX_RECURRENCES = 20;

type RecurringLine = TotalsInput["lines"][number] & { readonly recurring?: Recurrence | undefined };
interface Input extends TotalsInput {
  readonly lines: readonly RecurringLine[];
}

/**
 * The totals of later cycles, in the order of the lines. `totals` are those of the budget.
 * Errors: TOO_MANY_RECURRENCES; TAX_RATE_REQUIRED where the tax was given as an amount, which is not known of later cycles.
 */
export function recurringTotals(totals: Totals, input: Input, steps: Steps = null): Result<RecurringTotals[], Problem> {
  const found: RecurringTotals[] = [];
  const { taxation } = input;
  const groups = groupsOf(input.lines);
  if (groups.size > MAX_RECURRENCES) return err(tooMany);
  for (const { recurrence, indexes } of groups.values()) {
    if (taxation.kind === "amount" && taxation.amount > 0) return err(taxRateRequired(indexes));
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
function groupsOf(lines: readonly RecurringLine[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const [index, line] of lines.entries()) {
    const { recurring } = line;
    if (recurring === undefined || recurring.cycles === 1 || !isCounted(line)) continue;
    const key = `${recurring.intervalCount} ${recurring.interval} ${recurring.cycles}`;
    const group = groups.get(key) ?? { recurrence: recurring, indexes: [] };
    groups.set(key, group);
    group.indexes.push(index);
  }
  return groups;
}

const tooMany: Problem = brokenRule(
  "TOO_MANY_RECURRENCES",
  `The selected lines of a budget recur in at most ${MAX_RECURRENCES} different ways.`,
  { field: "items", max: MAX_RECURRENCES },
);

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
