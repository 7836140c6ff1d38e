import { err, ok, type Result } from "neverthrow";
import { brokenRule, type Problem } from "../kernel/problem.js";
import type { ChoiceLine } from "./choices.js";
import { optionalMinorAmount } from "./given-totals.js";
import { isItem } from "./line-kind.js";
import { findWrongNumber, findWrongOfChoice } from "./line-numbers.js";
import type { PricedLine } from "./price.js";
import { type PriceTier, settlePrice } from "./price-tiers.js";
import type { PricingInput, PricingLine } from "./pricing-shapes.js";
import { checkQuantity, checkRange } from "./quantity-range.js";

export interface SettledLine extends PricedLine, ChoiceLine {
  readonly id?: string | undefined;
  readonly priceTiers?: readonly PriceTier[] | undefined;
}

/** The lines with the prices that apply. Errors: 400 for a number out of its bounds; those of tiers, ranges and discounts. */
export function settledLines(input: PricingInput): Result<SettledLine[], Problem> {
  const lines: SettledLine[] = [];
  for (const [index, line] of input.items.entries()) {
    const settled = settledLine(line, `items[${index}]`, input.currency);
    if (settled.isErr()) return err(settled.error);
    lines.push(settled.value);
  }
  return ok(lines);
}

function settledLine(given: PricingLine, field: string, currency: string): Result<SettledLine, Problem> {
  const line = withEachField(given);
  if (!isItem(line)) return structureLine(line, field);
  const problem = findWrongNumber(line, field) ?? twoDiscounts(line, field);
  if (problem !== null) return err(problem);
  const { quantity = 0, quantityRange: range } = line;
  if (range !== undefined) {
    const ranged = checkRange(range, field).andThen(() => checkQuantity(range, quantity, field));
    if (ranged.isErr()) return err(ranged.error);
  }
  const price = settlePrice(line, quantity, range?.minimum ?? quantity, field);
  if (price.isErr()) return err(price.error);
  const discount = optionalMinorAmount(`${field}.discountAmount`, line.discountAmount, currency);
  if (discount.isErr()) return err(discount.error);
  return ok({
    ...line,
    kind: undefined,
    quantity,
    unitPrice: price.value.unitPrice + 0, // no minus zero
    priceTiers: price.value.priceTiers,
    discountAmount: discount.value ?? undefined,
  });
}

/** A line without a price. */
function structureLine(line: PricingLine, field: string): Result<SettledLine, Problem> {
  const { kind, id, key, minimum, maximum } = line;
  const problem = kind === "choice" ? findWrongOfChoice(line, field) : null;
  const fields = withEachField({ kind, id, key, minimum, maximum });
  return problem === null ? ok({ ...fields, quantity: 0, unitPrice: 0 }) : err(problem);
}

/** The line with all fields, in one order: to read lines that each have others takes many times as long. */
function withEachField(line: PricingLine): PricingLine {
  return {
    kind: line.kind,
    id: line.id,
    key: line.key,
    minimum: line.minimum,
    maximum: line.maximum,
    quantity: line.quantity,
    unitPrice: line.unitPrice,
    priceTiers: line.priceTiers,
    quantityRange: line.quantityRange,
    discountRate: line.discountRate,
    discountAmount: line.discountAmount,
    taxes: line.taxes,
    optional: line.optional,
    selected: line.selected,
    choice: line.choice,
    recurring: line.recurring,
    unitCost: line.unitCost,
  };
}

function twoDiscounts({ discountRate, discountAmount }: PricingLine, field: string): Problem | null {
  if (discountRate === undefined || discountAmount === undefined) return null;
  const message = "An item has a discountRate or a discountAmount, not both.";
  return brokenRule("DISCOUNT_RATE_AND_AMOUNT", message, { field });
}
