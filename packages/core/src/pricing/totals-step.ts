import type { Decimal, Rounding } from "../kernel/decimal.js";
import type { Minor } from "../kernel/money.js";

/**
 * One step of the computation of totals, for the trace. `item` is the index of the line.
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
  | {
      readonly kind: "item-discount";
      readonly item: number;
      readonly gross: Minor; // quantity × unitPrice, rounded
      readonly byRate: { readonly rate: number; readonly exact: Decimal; readonly rule: Rounding } | null; // null = an amount
      readonly discount: Minor;
      readonly total: Minor;
    }
  | GivenStep
  | { readonly kind: "section"; readonly item: number; readonly total: Minor } // a subtotal line
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
  | AllocationStep;

/** A figure of the client that replaces the computed one. */
interface GivenStep {
  readonly kind: "given";
  readonly item: number | null; // null = the tax of the whole budget
  readonly computed: Minor;
  readonly given: Minor;
}

/** The allocation of an amount to the lines. A weight is the line's total; for the tax, its total less its discount. */
export interface AllocationStep {
  readonly kind: "allocation";
  readonly of: "discount" | "tax";
  readonly amount: Minor;
  readonly weights: Float64Array; // with the same indexes as `shares`
  readonly sum: Minor; // of the weights; 0 = the first share gets everything
  readonly shares: Float64Array;
}
