import { priceBudget } from "../../pricing/price-budget.js";
import type { PricingFigures, PricingInput } from "../../pricing/pricing-shapes.js";
import { isConfigurable } from "../../pricing/selection.js";
import type { ShownBudget } from "./document-parts.js";

/** An offer that its customer configures, as the computation reads it. */
export interface PricedOffer {
  readonly input: PricingInput;
  readonly figures: PricingFigures;
}

/**
 * Null = there is nothing to configure, or the figures of the offer are not those of its lines: totals that were given are
 * kept within a tolerance.
 */
export function pricedOffer(budget: ShownBudget): PricedOffer | null {
  if (!budget.items.some(isConfigurable)) return null;
  const { currency, taxRate, taxes, discount, discountAmount = discount, deposit, items } = budget;
  for (const rounding of ["half-up", "half-even"] as const) {
    const rates = taxes === undefined ? { taxRate } : { taxes };
    const input = { currency, rounding, ...rates, discountAmount, deposit, items };
    const figures = priceBudget(input);
    if (figures.isOk() && agrees(figures.value, budget)) return { input, figures: figures.value };
  }
  return null;
}

function agrees(figures: PricingFigures, { subtotal, discount, tax, total }: ShownBudget): boolean {
  return (
    figures.subtotal === subtotal && figures.discount === discount && figures.tax === tax && figures.total === total
  );
}
