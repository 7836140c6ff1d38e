import type { Decimal, Rounding } from "../kernel/decimal.js";
import type { Minor } from "../kernel/money.js";
import type { Spreading } from "./spread.js";

/**
 * One step of the computation of totals, as it was carried out. The computation adds them to a list when it is given
 * one; `item` counts the lines from 0.
 */
export type TotalsStep =
  | {
      readonly kind: "line";
      readonly item: number;
      readonly quantity: number;
      readonly unitPrice: number;
      readonly exact: Decimal; // in major units
      readonly rounded: Minor;
      readonly rule: Rounding;
    }
  | GivenStep
  | { readonly kind: "subtotal"; readonly subtotal: Minor }
  | { readonly kind: "taxable"; readonly subtotal: Minor; readonly discount: Minor; readonly taxable: Minor }
  | {
      readonly kind: "tax";
      readonly taxable: Minor;
      readonly rate: number;
      readonly exact: Decimal; // in minor units
      readonly rounded: Minor;
      readonly rule: Rounding;
    }
  | { readonly kind: "total"; readonly taxable: Minor; readonly tax: Minor; readonly total: Minor }
  | SpreadStep;

/** A figure of the client's that stands in the place of the computed one. */
interface GivenStep {
  readonly kind: "given";
  readonly item: number | null; // null = the tax of the whole budget
  readonly computed: Minor;
  readonly given: Minor;
}

/** How an amount was divided over the items. The weights are the items' totals; for the tax, what discounts leave. */
export interface SpreadStep extends Spreading {
  readonly kind: "spread";
  readonly of: "discount" | "tax";
  readonly amount: Minor;
}
