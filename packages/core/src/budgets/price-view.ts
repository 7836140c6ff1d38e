import { z } from "zod";
import { fromMinor, type Minor } from "../kernel/money.js";
import { INTERVALS } from "../pricing/recurring.js";
import { TAX_KINDS } from "../pricing/tax-rule.js";
import type { Budget } from "./budget.js";
import { minimumPaymentOf, payableOf, type StoredFigures } from "./price-figures.js";

const taxView = z
  .object({
    /** Lines and other taxes name it. */
    id: z.string(),
    /** For people: IVA, VAT, USt. */
    name: z.string(),
    /** A fraction: 0.21 is 21 %. */
    rate: z.number(),
    /** A withholding lowers what is payable, not the total. */
    kind: z.enum(TAX_KINDS).describe("A withholding lowers what is payable, not the total."),
    /** True = the prices contain it. */
    inclusive: z.boolean().describe("True = the prices contain it."),
    /** Ids of the taxes that its base contains besides the net amount. */
    on: z.array(z.string()).describe("Ids of the taxes that its base contains besides the net amount."),
    /** What it is on, in the currency's major unit. */
    base: z.number().describe("What it is on."),
    /** What it comes to, in the currency's major unit. */
    amount: z.number().describe("What it comes to."),
  })
  .meta({ id: "BudgetTax", description: "A tax with what it comes to. Amounts are in the currency's major unit." });

const recurringView = z
  .object({
    /** Week, month or year. */
    interval: z.enum(INTERVALS),
    /** How many of them a cycle has. */
    intervalCount: z.int(),
    /** Cycles in all, with the first; null = until ended. */
    cycles: z.int().nullable().describe("Cycles in all, with the first; null = until ended."),
    /** Before tax, in the currency's major unit. */
    subtotal: z.number(),
    /** Amount of tax, in the currency's major unit. */
    tax: z.number(),
    /** With tax, in the currency's major unit. */
    total: z.number(),
  })
  .meta({ id: "RecurringTotals", description: "What each later cycle costs, in the currency's major unit." });

const deposit = z
  .object({
    /** Part of the total: 0.3 is 30 %. */
    rate: z.number().optional().describe("Part of the total: 0.3 is 30 %."),
    /** In the currency's major unit. */
    amount: z.number().optional().describe("In the currency's major unit."),
  })
  .meta({ id: "Deposit", description: "What must be paid before an acceptance counts: a rate, or an amount." });

/** The figures that only budgets with several taxes or recurring lines have. */
export const taxFigures = {
  /** In place of a taxRate: the taxes with what each comes to; absent = one tax for all lines. */
  taxes: z
    .array(taxView)
    .optional()
    .describe("In place of a taxRate: the taxes with what each comes to; absent = one tax for all lines."),
  /** The sum of the withholdings; absent = there are none. */
  withheld: z.number().optional().describe("The sum of the withholdings; absent = there are none."),
  /** total − withheld; absent = there are no withholdings. */
  payable: z.number().optional().describe("total − withheld; absent = there are no withholdings."),
  /** The discount as given, with the taxes that it contains; absent = prices contain no tax. */
  discountAmount: z
    .number()
    .optional()
    .describe("The discount as given, with the taxes that it contains; absent = prices contain no tax."),
  /** What each later cycle costs; absent = no selected line recurs. */
  recurring: z
    .array(recurringView)
    .optional()
    .describe("What each later cycle costs; absent = no selected line recurs. The budget's discount is not in it."),
};

/** The figures of a budget with a deposit. */
export const depositFigures = {
  /** A part of the total, or an amount; absent = none. */
  deposit: deposit.optional().describe("A part of the total, or an amount; absent = none."),
  /** What must be paid before an acceptance counts, in the currency's major unit; absent = there is no deposit. */
  minimumPaymentToConfirm: z
    .number()
    .optional()
    .describe("What must be paid before an acceptance counts; absent = there is no deposit."),
  /** What an acceptance waits for: the minimum less what is paid, 0 after the approval; absent = there is no deposit. */
  dueToConfirm: z
    .number()
    .optional()
    .describe(
      "What an acceptance waits for: the minimum less what is paid, 0 after the approval; absent = there is no deposit.",
    ),
  /** What is payable less what is paid; absent = there is no deposit. */
  balance: z.number().optional().describe("What is payable less what is paid; absent = there is no deposit."),
};

/** What customers never see. */
export const internalFigures = {
  /** What the selected lines cost the business; absent = no line has a unitCost. */
  cost: z.number().optional().describe("What the selected lines cost the business; absent = no line has a unitCost."),
  /** subtotal − discount − cost; absent = no line has a unitCost. */
  margin: z.number().optional().describe("subtotal − discount − cost; absent = no line has a unitCost."),
};

const taxObject = z.object(taxFigures);
const depositObject = z.object(depositFigures);
const internalObject = z.object(internalFigures);

/** The statuses in which an acceptance is still to come, or waits. */
const WAITING: ReadonlySet<Budget["status"]> = new Set(["DRAFT", "PENDING"] as const);

type Priced = StoredFigures & Pick<Budget, "currency" | "deposit" | "publicOffer" | "paid" | "status">;

export function taxFiguresOf(budget: Priced): z.infer<typeof taxObject> {
  const { taxes, withheld, discountAmount, recurring, currency } = budget;
  const major = (minor: Minor) => fromMinor(minor, currency);
  return {
    ...(taxes === undefined
      ? {}
      : {
          taxes: taxes.map(({ on, base, amount, ...rule }) => ({
            ...rule,
            on: [...on],
            base: major(base),
            amount: major(amount),
          })),
        }),
    ...(withheld === undefined ? {} : { withheld: major(withheld), payable: major(payableOf(budget)) }),
    ...(discountAmount === undefined ? {} : { discountAmount: major(discountAmount) }),
    ...(recurring === undefined
      ? {}
      : {
          recurring: recurring.map(({ subtotal, tax, total, ...recurrence }) => ({
            ...recurrence,
            subtotal: major(subtotal),
            tax: major(tax),
            total: major(total),
          })),
        }),
  };
}

export function depositFiguresOf(budget: Priced): z.infer<typeof depositObject> {
  const { deposit: given, paid, status, currency } = budget;
  if (given === undefined) return {};
  const major = (minor: Minor) => fromMinor(minor, currency);
  const minimum = minimumPaymentOf(budget) ?? 0;
  return {
    deposit: "rate" in given ? { rate: given.rate } : { amount: major(given.amount) },
    minimumPaymentToConfirm: major(minimum),
    dueToConfirm: WAITING.has(status) ? major(Math.max(0, minimum - paid)) : 0,
    balance: major(payableOf(budget) - paid),
  };
}

export function internalFiguresOf(budget: Priced): z.infer<typeof internalObject> {
  const { cost, subtotal, discount, currency } = budget;
  if (cost === undefined) return {};
  return { cost: fromMinor(cost, currency), margin: fromMinor(subtotal - discount - cost, currency) };
}
