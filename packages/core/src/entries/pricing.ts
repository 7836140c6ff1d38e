/**
 * The entry "@budgetkit/core/pricing": the computation of a budget's figures, for browsers and programs without a service.
 * It uses nothing of Node.
 */
export type { Rounding } from "../kernel/decimal.js";
export type { FieldError, Problem } from "../kernel/problem.js";
export { priceBudget } from "../pricing/price-budget.js";
export type { PriceTier } from "../pricing/price-tiers.js";
export type {
  PricingDeposit,
  PricingFigures,
  PricingInput,
  PricingLine,
  PricingLineFigures,
  PricingTax,
} from "../pricing/pricing-shapes.js";
export type { QuantityRange } from "../pricing/quantity-range.js";
export type { Recurrence } from "../pricing/recurring.js";
export { applySelection, isConfigurable, type OfferedLine, type SelectedLine } from "../pricing/selection.js";
export type { TraceStep } from "../pricing/trace-schema.js";
