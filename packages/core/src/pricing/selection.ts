import { err, ok, type Result } from "neverthrow";
import { brokenRule, type Problem } from "../kernel/problem.js";
import type { ChoiceLine } from "./choices.js";
import { type PriceTier, tierPrice } from "./price-tiers.js";
import { isInRange, OUT_OF_RANGE, type QuantityRange } from "./quantity-range.js";
import { isSelectable } from "./selectable.js";

/** What the customer sets of one line. An absent field stays as it is. */
export interface SelectedLine {
  readonly itemId: string;
  readonly selected?: boolean | undefined;
  readonly quantity?: number | undefined;
}

/** A line, as far as the customer may set it. */
export interface OfferedLine extends ChoiceLine {
  readonly id?: string | undefined;
  readonly quantity?: number | undefined;
  readonly quantityRange?: QuantityRange | undefined;
  readonly priceTiers?: readonly PriceTier[] | undefined;
}

/** What changes of a line. */
interface Changes {
  selected?: boolean;
  quantity?: number;
  unitPrice?: number; // of the tier of the quantity
}

/** Whether the customer may set anything of the line. */
export function isConfigurable(line: OfferedLine): boolean {
  return isSelectable(line) || line.quantityRange !== undefined;
}

/**
 * The lines with a selection. To select a line of a choice of one unselects the others, unless the selection names them.
 * Errors: SELECTION_NOT_OFFERED at a line that is unknown, named twice or not the customer's to set, and at a quantity out
 * of its range.
 */
export function applySelection<L extends OfferedLine>(
  lines: readonly L[],
  selection: readonly SelectedLine[],
): Result<readonly L[], Problem> {
  const chosen = new Map<string, SelectedLine>();
  const known = identified(lines);
  for (const [index, each] of selection.entries()) {
    const line = known.get(each.itemId);
    const problem = chosen.has(each.itemId) ? named(index, "itemId", each.itemId) : findProblem(line, each, index);
    if (problem !== null) return err(problem);
    chosen.set(each.itemId, each);
  }
  const replaced = replacedChoices(lines, chosen);
  return ok(
    lines.map((line) => {
      const each = line.id === undefined ? undefined : chosen.get(line.id);
      if (each !== undefined) return { ...line, ...changesOf(line, each) };
      return line.choice !== undefined && replaced.has(line.choice) ? { ...line, selected: false } : line;
    }),
  );
}

/** The part of a selection that the lines offer, each line of it by itself. */
export function offeredPart<S extends SelectedLine>(lines: readonly OfferedLine[], selection: readonly S[]): S[] {
  const known = identified(lines);
  return selection.filter((each) => findProblem(known.get(each.itemId), each, 0) === null);
}

function identified(lines: readonly OfferedLine[]): ReadonlyMap<string | undefined, OfferedLine> {
  return new Map(lines.map((line) => [line.id, line]));
}

function findProblem(line: OfferedLine | undefined, each: SelectedLine, index: number): Problem | null {
  if (line === undefined) return named(index, "itemId", each.itemId);
  if (each.selected !== undefined && !isSelectable(line)) return named(index, "selected", each.itemId);
  if (each.quantity === undefined) return null;
  const range = line.quantityRange;
  if (range === undefined) return named(index, "quantity", each.itemId);
  return isInRange(range, each.quantity) ? null : named(index, "quantity", each.itemId, range);
}

function changesOf(line: OfferedLine, { selected, quantity }: SelectedLine): Changes {
  return {
    ...(selected === undefined ? {} : { selected }),
    ...(quantity === undefined ? {} : { quantity, ...priceOf(line, quantity) }),
  };
}

/** The price of the tier, where the tiers cover the range. Else `unitPrice` is the price below them, and stays. */
function priceOf({ priceTiers = [], quantityRange }: OfferedLine, quantity: number): Changes {
  const [first] = priceTiers;
  if (first === undefined || quantityRange === undefined || first.from > quantityRange.minimum) return {};
  return { unitPrice: tierPrice(priceTiers, quantity) };
}

/** The keys of the choices of one of which the selection selects a line. */
function replacedChoices(
  lines: readonly OfferedLine[],
  chosen: ReadonlyMap<string, SelectedLine>,
): ReadonlySet<string | undefined> {
  const single = lines.filter(({ kind, maximum }) => kind === "choice" && (maximum ?? 1) === 1).map(({ key }) => key);
  const selected = lines.filter(({ id }) => id !== undefined && chosen.get(id)?.selected === true);
  return new Set(selected.map(({ choice }) => choice).filter((key) => key !== undefined && single.includes(key)));
}

function named(index: number, field: string, itemId: string, range?: QuantityRange): Problem {
  const message = range === undefined ? "The offer does not let the customer set this." : OUT_OF_RANGE;
  return brokenRule("SELECTION_NOT_OFFERED", message, { field: `selection[${index}].${field}`, itemId, ...range });
}
