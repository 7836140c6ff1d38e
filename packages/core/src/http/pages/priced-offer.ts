import { priceBudget } from "../../pricing/price-budget.js";
import type { PricingFigures, PricingInput } from "../../pricing/pricing-shapes.js";
import { isConfigurable } from "../../pricing/selection.js";
import type { ShownBudget } from "./document-parts.js";

/** An offer that its customer configures, as the computation reads it. */
export interface PricedOffer {
  readonly input: PricingInput;
  readonly figures: PricingFigures;
}

/** By the view, which several parts of one page read. */
const known = new WeakMap<ShownBudget, PricedOffer | null>();

/**
 * Null = there is nothing to configure, or the figures of the offer are not those of its lines: totals that were given are
 * kept within a tolerance.
 */
export function pricedOffer(budget: ShownBudget): PricedOffer | null {
  const found = known.get(budget);
  if (found !== undefined) return found;
  const offer = budget.items.some(isConfigurable) ? computed(budget) : null;
  known.set(budget, offer);
  return offer;
}

function computed(budget: ShownBudget): PricedOffer | null {
  const { currency, rounding, taxRate, taxes, discount, discountAmount = discount, deposit, items } = budget;
  const rates = taxes === undefined ? { taxRate } : { taxes };
  const input: PricingInput = { currency, rounding: rounding ?? "half-up", ...rates, discountAmount, deposit, items };
  const figures = priceBudget(input);
  return figures.isOk() && agrees(figures.value, budget) ? { input, figures: figures.value } : null;
}

function agrees(figures: PricingFigures, { subtotal, discount, tax, total }: ShownBudget): boolean {
  return (
    figures.subtotal === subtotal && figures.discount === discount && figures.tax === tax && figures.total === total
  );
}
