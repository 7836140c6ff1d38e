import type { Rounding } from "../kernel/decimal.js";
import type { LineKind } from "./line-kind.js";
import type { PriceTier } from "./price-tiers.js";
import type { QuantityRange } from "./quantity-range.js";
import type { Recurrence } from "./recurring.js";
import type { TaxKind } from "./tax-rule.js";
import type { TraceStep } from "./trace-schema.js";

/** A budget to price. Amounts are in the currency's major unit, rates are fractions: 0.21 is 21 %. */
export interface PricingInput {
  /** An ISO 4217 code in upper case. */
  readonly currency: string;
  /** Of a value halfway between two minor units. Default `half-up`. */
  readonly rounding?: Rounding | undefined;
  readonly items: readonly PricingLine[];
  /** One tax on all lines. Not with `taxes`. Default 0. */
  readonly taxRate?: number | null | undefined;
  /** Several taxes, at most 8. */
  readonly taxes?: readonly PricingTax[] | undefined;
  /** Discount of the whole budget. Default 0. */
  readonly discountAmount?: number | undefined;
  /** What must be paid before an acceptance counts. */
  readonly deposit?: PricingDeposit | null | undefined;
}

/** A part of the total, or an amount: one of the two. */
export interface PricingDeposit {
  readonly rate?: number | undefined;
  readonly amount?: number | undefined;
}

export interface PricingTax {
  /** Lines and other taxes name it. */
  readonly id: string;
  /** For people: IVA, VAT, USt. */
  readonly name?: string | undefined;
  /** 0 to 1. */
  readonly rate: number;
  /** A withholding lowers what is payable, not the total. Default `tax`. */
  readonly kind?: TaxKind | undefined;
  /** True = the prices contain it. Default false. */
  readonly inclusive?: boolean | undefined;
  /** Ids of the taxes that its base contains besides the net amount. Default none. */
  readonly on?: readonly string[] | undefined;
}

/** A line. Only an item has a price; a choice has a key, and the items that name it are its options. */
export interface PricingLine {
  /** Default `item`. */
  readonly kind?: LineKind | undefined;
  /** Only a selection names it. */
  readonly id?: string | undefined;
  readonly quantity?: number | undefined;
  /** Of one unit; beside tiers, of quantities below the first. */
  readonly unitPrice?: number | undefined;
  readonly priceTiers?: readonly PriceTier[] | undefined;
  readonly quantityRange?: QuantityRange | undefined;
  /** A fraction of quantity × unitPrice. Not with discountAmount. */
  readonly discountRate?: number | undefined;
  readonly discountAmount?: number | undefined;
  /** Ids of the taxes of the line. Absent = all, empty = none. */
  readonly taxes?: readonly string[] | undefined;
  /** True = it counts only if selected. */
  readonly optional?: boolean | undefined;
  /** Of an optional line or an option. Default false. */
  readonly selected?: boolean | undefined;
  /** Key of the choice of which the line is an option. */
  readonly choice?: string | undefined;
  /** Of a choice: its key. */
  readonly key?: string | undefined;
  /** Of a choice: how many options are selected at least. Default 1. */
  readonly minimum?: number | undefined;
  /** Of a choice: how many options are selected at most. Default 1. */
  readonly maximum?: number | undefined;
  readonly recurring?: Recurrence | undefined;
  /** What a unit costs the business. */
  readonly unitCost?: number | undefined;
}

/** The figures of a budget. Always `total = subtotal − discount + tax`. */
export interface PricingFigures {
  /** Without the taxes that prices contain, before the discount. */
  readonly subtotal: number;
  readonly discount: number;
  readonly tax: number;
  readonly total: number;
  /** Only of several taxes: as given, with what each is on and comes to. */
  readonly taxes?: readonly (PricingTax & { readonly base: number; readonly amount: number })[];
  /** Only with a withholding. */
  readonly withheld?: number;
  /** Only with a withholding: total − withheld. */
  readonly payable?: number;
  /** Only with a deposit. */
  readonly minimumPaymentToConfirm?: number;
  /** With the indexes of the input. */
  readonly items: readonly PricingLineFigures[];
  /** What each later cycle costs; absent = no selected line recurs. */
  readonly recurring?: readonly (Recurrence & {
    readonly subtotal: number;
    readonly tax: number;
    readonly total: number;
  })[];
  /** Only where a line has a unitCost. */
  readonly cost?: number;
  /** Only where a line has a unitCost: subtotal − discount − cost. */
  readonly margin?: number;
  /** Keys of the choices that lack a selection: they hinder an acceptance. */
  readonly incompleteChoices: readonly string[];
  /** Every step of the computation. */
  readonly trace: readonly TraceStep[];
}

/** The figures of a line. Headings, texts and choices have none, a subtotal has `total` alone. */
export interface PricingLineFigures {
  /** That applies to the quantity. */
  readonly unitPrice?: number;
  /** Only where the price contains a tax: quantity × unitPrice less the line's own discount. */
  readonly gross?: number;
  readonly total?: number;
  /** Share of the budget's discount. */
  readonly discount?: number;
  /** Share of the taxes. */
  readonly tax?: number;
  /** Only of a line that can be selected: quantity × unitPrice less its own discount, as if it were. */
  readonly offered?: number;
}
