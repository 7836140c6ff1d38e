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
  | { readonly kind: "not-selected"; readonly item: number }
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
  | ContainedStep
  | {
      readonly kind: "tax";
      readonly tax: string | null; // id; null = the one tax of the budget
      readonly taxable: Minor;
      readonly rate: number;
      readonly exact: Decimal; // in minor units
      readonly rounded: Minor;
      readonly rule: Rounding;
    }
  | { readonly kind: "withheld"; readonly total: Minor; readonly withheld: Minor; readonly payable: Minor }
  | { readonly kind: "total"; readonly taxable: Minor; readonly tax: Minor; readonly total: Minor }
  | AllocationStep
  | {
      readonly kind: "recurring";
      readonly items: readonly number[];
      readonly interval: "week" | "month" | "year";
      readonly intervalCount: number;
      readonly cycles: number | null;
      readonly subtotal: Minor;
      readonly tax: Minor;
      readonly total: Minor;
    }
  | {
      readonly kind: "deposit";
      readonly total: Minor;
      readonly byRate: { readonly rate: number; readonly exact: Decimal; readonly rule: Rounding } | null; // null = an amount
      readonly deposit: Minor;
    }
  | {
      readonly kind: "cost";
      readonly item: number;
      readonly quantity: number;
      readonly unitCost: number;
      readonly exact: Decimal; // in major units
      readonly rounded: Minor;
      readonly rule: Rounding;
    }
  | { readonly kind: "margin"; readonly net: Minor; readonly cost: Minor; readonly margin: Minor };

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
  readonly tax?: string; // id of the tax; absent = the one tax of the budget, or the discount
  readonly amount: Minor;
  readonly weights: Float64Array; // with the same indexes as `shares`
  readonly sum: Minor; // of the weights; 0 = the first share gets everything
  readonly shares: Float64Array;
}

/** The taxes that the prices of some lines contain, taken out of what the discount leaves of these lines together. */
export interface ContainedStep {
  readonly kind: "contained-tax";
  readonly items: readonly number[];
  readonly taxes: readonly string[]; // ids
  readonly gross: Minor;
  readonly rate: Decimal; // of all these taxes together
  readonly amount: Minor;
  readonly net: Minor;
  readonly shares: readonly Minor[]; // of the taxes, with the same indexes
  readonly rule: Rounding;
  /** The discount of these lines: as given, and without the taxes that it contains. */
  readonly discount: Minor;
  readonly netDiscount: Minor;
}
