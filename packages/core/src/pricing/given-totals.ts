import { err, ok, type Result } from "neverthrow";
import { at, numberAt } from "../kernel/arrays.js";
import { exponentOf } from "../kernel/currency.js";
import { decimalPlaces } from "../kernel/decimal.js";
import { fromMinor, type Minor, toMinor } from "../kernel/money.js";
import { brokenRule, invalid, type Problem } from "../kernel/problem.js";
import { lineTotalsOf } from "./line-amounts.js";
import { firstItemOf, isItem, sectionsOf } from "./line-kind.js";
import { isCounted } from "./selectable.js";
import { allocateFigures, computeTotals, figuresOf, withTax } from "./totals.js";
import { amountTooLarge, type Steps, type Totals, type TotalsInput } from "./totals-parts.js";

/** Figures from the client; null = the service computes the figure. */
export interface GivenTotals {
  readonly lines: readonly (Minor | null)[];
  readonly subtotal: Minor | null;
  readonly tax: Minor | null;
  readonly total: Minor | null;
}

/**
 * The totals, with the client's figures where they agree. A figure is accepted within one minor unit per item of the
 * computed one. It is kept where the budget stays consistent; else the computed figure is used.
 * Errors: TOTALS_MISMATCH with both figures, and those of computeTotals.
 * Source: contract, Budget item, "Client-supplied totals are also allowed".
 */
export function reconcileTotals(input: TotalsInput, given: GivenTotals, steps: Steps = null): Result<Totals, Problem> {
  const { taxation } = input;
  if (taxation.kind === "taxes") return checkedTotals(input, given, steps);
  const settledLines = settledLinesOf(input, given, steps);
  if (settledLines.isErr()) return err(settledLines.error);
  const lineTotals = settledLines.value;
  const sections = reconcileSections(input, lineTotals, given, steps);
  if (sections.isErr()) return err(sections.error);
  const tolerance = input.lines.filter(isItem).length;
  const computed = figuresOf(lineTotals, { ...input, taxation }, steps);
  if (computed.isErr()) return err(computed.error);
  const { subtotal, tax } = computed.value;
  if (differs(given.subtotal, subtotal, tolerance))
    return err(mismatch("subtotal", given.subtotal, subtotal, input.currency));
  if (differs(given.tax, tax, tolerance)) return err(mismatch("tax", given.tax, tax, input.currency));
  if (given.tax !== null && given.tax !== tax)
    steps?.push({ kind: "given", item: null, computed: tax, given: given.tax });
  const settled = withTax(computed.value, given.tax ?? tax, input.currency);
  if (settled.isErr()) return err(settled.error);
  if (differs(given.total, settled.value.total, tolerance)) {
    return err(mismatch("total", given.total, settled.value.total, input.currency));
  }
  return ok(allocateFigures(lineTotals, settled.value, firstItemOf(input.lines), steps));
}

/**
 * The computed totals of a budget with several taxes. The client's are only compared: with one of them in its place, the
 * taxes would not sum.
 */
function checkedTotals(input: TotalsInput, given: GivenTotals, steps: Steps): Result<Totals, Problem> {
  const computed = computeTotals(input, steps);
  if (computed.isErr()) return err(computed.error);
  const { lines, subtotal, tax, total } = computed.value;
  const { currency } = input;
  for (const [item, figure] of given.lines.entries()) {
    if (!isItem(at(input.lines, item)) || !differs(figure, numberAt(lines.totals, item), 1)) continue;
    return err(mismatch(`items[${item}].total`, figure, numberAt(lines.totals, item), currency));
  }
  const sections = reconcileSections(input, lines.totals, given, steps);
  if (sections.isErr()) return err(sections.error);
  const tolerance = input.lines.filter(isItem).length;
  if (differs(given.subtotal, subtotal, tolerance))
    return err(mismatch("subtotal", given.subtotal, subtotal, currency));
  if (differs(given.tax, tax, tolerance)) return err(mismatch("tax", given.tax, tax, currency));
  return differs(given.total, total, tolerance)
    ? err(mismatch("total", given.total, total, currency))
    : ok(computed.value);
}

/** The line totals: the client's where one is given and agrees, else the computed ones. */
function settledLinesOf(input: TotalsInput, given: GivenTotals, steps: Steps): Result<Float64Array, Problem> {
  const computedLines = lineTotalsOf(input, steps);
  if (computedLines.isErr()) return computedLines;
  const lineTotals = computedLines.value;
  for (let item = 0; item < lineTotals.length; item += 1) {
    const line = at(input.lines, item);
    if (!isItem(line)) continue;
    const computed = numberAt(lineTotals, item);
    const figure = given.lines[item] ?? computed;
    if (Math.abs(figure - computed) > 1) return err(mismatch(`items[${item}].total`, figure, computed, input.currency));
    if (figure !== computed && isCounted(line)) steps?.push({ kind: "given", item, computed, given: figure });
    if (isCounted(line)) lineTotals[item] = figure;
  }
  return ok(lineTotals);
}

/** Compares the client's totals of subtotal lines with the sums, which are used in any case. Errors: TOTALS_MISMATCH. */
function reconcileSections(
  { lines, currency }: TotalsInput,
  lineTotals: Float64Array,
  given: GivenTotals,
  steps: Steps,
): Result<void, Problem> {
  for (const [item, { items, total }] of sectionsOf(lines, lineTotals)) {
    const figure = given.lines[item] ?? null;
    if (differs(figure, total, items)) return err(mismatch(`items[${item}].total`, figure, total, currency));
    steps?.push({ kind: "section", item, total });
  }
  return ok(undefined);
}

/**
 * A wire amount in minor units. Errors: 400 INVALID_FORMAT at `field` for more decimals than the currency has,
 * AMOUNT_TOO_LARGE.
 */
export function minorAmount(field: string, amount: number, currency: string): Result<Minor, Problem> {
  const minor = toMinor(amount, currency);
  if (minor === null) return err(amountTooLarge(field, currency));
  const places = exponentOf(currency);
  if (decimalPlaces(amount) <= places) return ok(minor);
  return err(invalid(field, "INVALID_FORMAT", `must have at most ${places} decimals in ${currency}`));
}

/** {@link minorAmount}, or null for an absent amount. */
export function optionalMinorAmount(
  field: string,
  amount: number | undefined,
  currency: string,
): Result<Minor | null, Problem> {
  return amount === undefined ? ok(null) : minorAmount(field, amount, currency);
}

/** {@link optionalMinorAmount} of each item's total. */
export function givenLineTotals(
  items: readonly { readonly total?: number | undefined }[],
  currency: string,
): Result<(Minor | null)[], Problem> {
  const totals: (Minor | null)[] = [];
  for (const { total } of items) {
    if (total === undefined) {
      totals.push(null);
      continue;
    }
    const minor = minorAmount(`items[${totals.length}].total`, total, currency);
    if (minor.isErr()) return err(minor.error);
    totals.push(minor.value);
  }
  return ok(totals);
}

function differs(given: Minor | null, computed: Minor, tolerance: number): given is Minor {
  return given !== null && Math.abs(given - computed) > tolerance;
}

function mismatch(field: string, given: Minor, computed: Minor, currency: string): Problem {
  return brokenRule("TOTALS_MISMATCH", `The given ${field} does not agree with the items.`, {
    field,
    given: fromMinor(given, currency),
    computed: fromMinor(computed, currency),
  });
}
