import type { Budget, NamedTax } from "@budgetkit/client";
import { decimalOf, shiftPoint } from "./decimals.js";
import type { EditedBudget, EditedCustomer, EditedTax } from "./edited-budget.js";
import { type Line, newLine } from "./line.js";

type BudgetLine = Budget["items"][number];

/** A saved budget for the editor. `keyOf` names lines that this session made by the keys that they have here. */
export function editedBudgetOf(
  budget: Budget,
  timeZone: string,
  keyOf: (id: string) => string = (id) => id,
): EditedBudget {
  const { customer, currency, validUntil, deposit, taxRate, taxes = [], notes, terms, paymentUrl } = budget;
  return {
    head: {
      customer: editedCustomerOf(customer),
      currency,
      validUntil: validUntil === null ? "" : dayIn(timeZone, validUntil),
      deposit: depositOf(deposit),
      taxRate: taxRate === null ? "" : percentOf(taxRate),
      taxes: taxes.map(editedTaxOf),
      discount: amountOf(budget.discountAmount ?? budget.discount),
      notes: notes ?? "",
      terms: terms ?? "",
      paymentUrl: paymentUrl ?? "",
    },
    lines: budget.items.map((line) => lineOf(line, keyOf(line.id))),
  };
}

interface KnownCustomer {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone?: string | null;
}

export function editedCustomerOf({ id, name, email, phone }: KnownCustomer): EditedCustomer {
  return { id, name: name ?? "", email: email ?? "", phone: phone ?? "" };
}

/** A new budget with what the business gives to new ones. */
export function blankBudget(business: {
  readonly currency: string | null;
  readonly taxes?: readonly NamedTax[];
}): EditedBudget {
  const taxes = (business.taxes ?? []).filter((tax) => tax.default).map(editedTaxOf);
  return {
    head: {
      customer: null,
      currency: business.currency ?? "USD",
      validUntil: "",
      deposit: "",
      taxRate: taxes.length === 0 ? "0" : "",
      taxes,
      discount: "",
      notes: "",
      terms: "",
      paymentUrl: "",
    },
    lines: [],
  };
}

export function editedTaxOf({ id, name, rate, kind, inclusive, on }: Omit<NamedTax, "default">): EditedTax {
  return { id, name, rate: percentOf(rate), kind, inclusive, on };
}

/** The day on which a moment falls in a time zone: `2026-12-24`. */
function dayIn(timeZone: string, iso: string): string {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  return format.format(new Date(iso));
}

function lineOf(line: BudgetLine, key: string): Line {
  if (line.kind === "choice") {
    const { description, key: choice, minimum, maximum } = line;
    return newLine(key, "choice", { description, choice, minimum: String(minimum), maximum: String(maximum) });
  }
  if (!("quantity" in line)) return newLine(key, line.kind, { description: line.description ?? "" });
  const { priceTiers = [], quantityRange: range, recurring } = line;
  const [first] = priceTiers;
  const isBase = first?.from === 0;
  return newLine(key, "item", {
    description: line.description,
    quantity: decimalOf(line.quantity),
    unit: line.unit ?? "",
    unitPrice: first === undefined ? decimalOf(line.unitPrice) : isBase ? decimalOf(first.unitPrice) : "",
    discount: line.discountRate === undefined ? amountOf(line.discountAmount) : `${percentOf(line.discountRate)}%`,
    unitCost: line.unitCost === undefined ? "" : decimalOf(line.unitCost),
    taxes: line.taxes ?? null,
    optional: line.optional ?? false,
    selected: line.selected ?? false,
    choice: line.choice ?? null,
    range:
      range === undefined
        ? null
        : { minimum: decimalOf(range.minimum), maximum: decimalOf(range.maximum), step: decimalOf(range.step) },
    tiers: (isBase ? priceTiers.slice(1) : priceTiers).map(({ from, unitPrice }) => ({
      from: decimalOf(from),
      unitPrice: decimalOf(unitPrice),
    })),
    recurring:
      recurring === undefined
        ? null
        : {
            interval: recurring.interval,
            intervalCount: String(recurring.intervalCount),
            cycles: recurring.cycles === null ? "" : String(recurring.cycles),
          },
    productId: line.productId ?? null,
    variantId: line.variantId ?? null,
    packageId: line.packageId ?? null,
  });
}

function depositOf(deposit: Budget["deposit"]): string {
  if (deposit === undefined) return "";
  return deposit.rate === undefined ? amountOf(deposit.amount) : `${percentOf(deposit.rate)}%`;
}

function percentOf(rate: number): string {
  return shiftPoint(decimalOf(rate), 2);
}

function amountOf(amount: number | undefined): string {
  return amount === undefined || amount === 0 ? "" : decimalOf(amount);
}
