import type { CreateBudget, TaxInput, UpdateBudget } from "@budgetkit/client";
import { shiftPoint } from "./decimals.js";
import type { EditedBudget, EditedTax, Head } from "./edited-budget.js";
import type { Line } from "./line.js";
import { writtenLines } from "./line-operations.js";
import { sameValue } from "./same-value.js";

type NewLine = CreateBudget["items"][number];
type ChangedLine = NonNullable<UpdateBudget["items"]>[number];

/** The body of a creation. The budget has no problems. */
export function createBodyOf(budget: EditedBudget, draft: boolean): CreateBudget {
  const { head } = budget;
  const { notes, terms, paymentUrl } = head;
  return {
    ...customerOf(head),
    items: writtenLines(budget).map(newLineOf),
    currency: head.currency,
    ...taxationOf(head),
    ...(head.validUntil === "" ? {} : { validUntil: head.validUntil }),
    ...(head.deposit === "" ? {} : { deposit: shareOf(head.deposit) }),
    ...(head.discount === "" ? {} : { discountAmount: Number(head.discount) }),
    ...(notes === "" ? {} : { notes }),
    ...(terms === "" ? {} : { terms }),
    ...(paymentUrl === "" ? {} : { paymentUrl }),
    draft,
  };
}

/**
 * The body of an update: what differs from the saved budget alone, so that dates keep their time of day. Lines that are
 * saved are named by their ids.
 */
export function updateBodyOf(budget: EditedBudget, saved: EditedBudget, idOf: (key: string) => string): UpdateBudget {
  const { head } = budget;
  const differs = (...fields: (keyof Head)[]) => fields.some((field) => !sameValue(head[field], saved.head[field]));
  const known = new Map(saved.lines.map((line) => [line.key, line.kind]));
  const lines = writtenLines(budget);
  return {
    ...(sameValue(lines, saved.lines)
      ? {}
      : { items: lines.map((line) => changedLineOf(line, known.get(line.key) === line.kind ? idOf(line.key) : null)) }),
    ...(differs("taxes", "taxRate") ? taxationOf(head) : {}),
    ...(differs("validUntil") ? { validUntil: head.validUntil === "" ? null : head.validUntil } : {}),
    ...(differs("deposit") ? { deposit: head.deposit === "" ? null : shareOf(head.deposit) } : {}),
    ...(differs("discount") ? { discountAmount: Number(head.discount) } : {}),
    ...(differs("notes") ? { notes: head.notes === "" ? null : head.notes } : {}),
    ...(differs("terms") ? { terms: head.terms === "" ? null : head.terms } : {}),
    ...(differs("paymentUrl") ? { paymentUrl: head.paymentUrl === "" ? null : head.paymentUrl } : {}),
  };
}

function customerOf({ customer }: Head): Pick<CreateBudget, "customerId" | "customer"> {
  if (customer === null) return {};
  const { id, name, email, phone } = customer;
  if (id !== null) return { customerId: id };
  return { customer: { name, ...(email === "" ? {} : { email }), ...(phone === "" ? {} : { phone }) } };
}

/** The taxes as the service computes them: a budget has taxes or a rate; neither = the tax is an amount. */
export function taxationOf({ taxes, taxRate }: Head): { taxes?: TaxInput[]; taxRate?: number } {
  if (taxes.length > 0) return { taxes: taxes.map(taxOf) };
  return taxRate === "" ? {} : { taxRate: rateOf(taxRate) };
}

/** `30%` as a rate, anything else as an amount. */
export function shareOf(share: string): { rate: number } | { amount: number } {
  return share.endsWith("%") ? { rate: rateOf(share.slice(0, -1)) } : { amount: Number(share) };
}

/** `10.5` of a hundred is 0.105. */
export function rateOf(percent: string): number {
  return Number(shiftPoint(percent, -2));
}

/** Null as the service has it: a change takes away what a line has no more. */
function changedLineOf(line: Line, id: string | null): ChangedLine {
  const named = id === null ? { kind: line.kind } : { id };
  const { description } = line;
  switch (line.kind) {
    case "heading":
    case "text":
      return { ...named, description };
    case "subtotal":
      return { ...named, ...(description === "" ? {} : { description }) };
    case "choice":
      return { ...named, description, ...choiceOf(line) };
    case "item":
      return { ...named, description, ...itemOf(line) };
  }
}

export function newLineOf(line: Line): NewLine {
  const { description } = line;
  switch (line.kind) {
    case "heading":
    case "text":
      return { kind: line.kind, description };
    case "subtotal":
      return { kind: "subtotal", ...(description === "" ? {} : { description }) };
    case "choice":
      return { kind: "choice", description, ...choiceOf(line) };
    case "item":
      return { description, ...itemOf(line) };
  }
}

function choiceOf({ choice, minimum, maximum }: Line) {
  return { key: choice ?? "", minimum: Number(minimum), maximum: Number(maximum) };
}

function itemOf(line: Line) {
  const { range, recurring, choice, optional } = line;
  return {
    quantity: Number(line.quantity),
    ...priceOf(line),
    unit: line.unit === "" ? null : line.unit,
    ...discountOf(line),
    unitCost: line.unitCost === "" ? null : Number(line.unitCost),
    taxes: line.taxes,
    optional: optional ? true : null,
    selected: optional || choice !== null ? line.selected : null,
    choice,
    quantityRange:
      range === null
        ? null
        : { minimum: Number(range.minimum), maximum: Number(range.maximum), step: Number(range.step) },
    recurring:
      recurring === null
        ? null
        : {
            interval: recurring.interval,
            intervalCount: Number(recurring.intervalCount),
            cycles: recurring.cycles === "" ? null : Number(recurring.cycles),
          },
    productId: line.productId,
    variantId: line.variantId,
    packageId: line.packageId,
  };
}

function discountOf({ discount }: Line): { discountRate: number | null; discountAmount: number | null } {
  if (discount === "") return { discountRate: null, discountAmount: null };
  const share = shareOf(discount);
  return "rate" in share
    ? { discountRate: share.rate, discountAmount: null }
    : { discountRate: null, discountAmount: share.amount };
}

/** The price below the tiers is the tier from 0: beside tiers, `unitPrice` of a change would be read in two ways. */
function priceOf({ unitPrice, tiers }: Line) {
  const given = tiers.map((tier) => ({ from: Number(tier.from), unitPrice: Number(tier.unitPrice) }));
  if (given.length === 0) return { ...(unitPrice === "" ? {} : { unitPrice: Number(unitPrice) }), priceTiers: null };
  return { priceTiers: unitPrice === "" ? given : [{ from: 0, unitPrice: Number(unitPrice) }, ...given] };
}

function taxOf({ id, name, rate, kind, inclusive, on }: EditedTax): TaxInput {
  return { id, name, rate: rateOf(rate), kind, inclusive, on };
}
