import { err, ok, type Result } from "neverthrow";
import { brokenRule, invalid, type Problem } from "../kernel/problem.js";
import type { ChoiceLine } from "./choices.js";
import { optionalMinorAmount } from "./given-totals.js";
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

function settledLine(line: PricingLine, field: string, currency: string): Result<SettledLine, Problem> {
  const { kind, id, key, minimum, maximum, quantity = 0, quantityRange } = line;
  if (kind !== undefined && kind !== "item") return ok({ kind, id, key, minimum, maximum, quantity: 0, unitPrice: 0 });
  const problem = findProblem(line, field);
  if (problem !== null) return err(problem);
  const ranged =
    quantityRange === undefined
      ? ok(undefined)
      : checkRange(quantityRange, field).andThen(() => checkQuantity(quantityRange, quantity, field));
  if (ranged.isErr()) return err(ranged.error);
  const price = settlePrice(line, quantity, quantityRange?.minimum ?? quantity, field);
  if (price.isErr()) return err(price.error);
  const { discountRate, taxes, optional, selected, choice, recurring, unitCost } = line;
  return optionalMinorAmount(`${field}.discountAmount`, line.discountAmount, currency).map((amount) => ({
    id,
    quantity,
    ...price.value,
    discountRate,
    discountAmount: amount ?? undefined,
    taxes,
    optional,
    selected,
    choice,
    recurring,
    unitCost,
  }));
}

function findProblem(line: PricingLine, field: string): Problem | null {
  const { quantity, discountRate, discountAmount } = line;
  if (quantity === undefined) return invalid(`${field}.quantity`, "REQUIRED", "is required");
  if (!(quantity > 0)) return invalid(`${field}.quantity`, "MIN_VALUE", "must be greater than 0");
  for (const name of ["quantity", "unitPrice", "unitCost", "discountRate", "discountAmount"] as const) {
    const value = line[name];
    if (value === undefined || (Number.isFinite(value) && value >= 0)) continue;
    return invalid(`${field}.${name}`, "MIN_VALUE", "must be a number that is not negative");
  }
  if ((discountRate ?? 0) > 1) return invalid(`${field}.discountRate`, "MAX_VALUE", "must be at most 1");
  if (discountRate === undefined || discountAmount === undefined) return null;
  const message = "An item has a discountRate or a discountAmount, not both.";
  return brokenRule("DISCOUNT_RATE_AND_AMOUNT", message, { field });
}
