import type { Figure, Line } from "./line.js";

/** Who gets the budget: a customer of the catalog, or a new one that is made with the budget. */
export interface EditedCustomer {
  readonly id: string | null; // null = new
  readonly name: string;
  readonly email: string;
  readonly phone: string;
}

export interface EditedTax {
  readonly id: string;
  readonly name: string;
  readonly rate: Figure; // in percent
  readonly kind: "tax" | "withholding";
  readonly inclusive: boolean;
  readonly on: readonly string[];
}

/** What a budget has beside its lines. */
export interface Head {
  readonly customer: EditedCustomer | null; // null = not chosen yet
  readonly currency: string;
  readonly validUntil: string; // `2026-12-24` in the time zone of the business; empty = for ever
  readonly deposit: Figure; // `30%` or an amount; empty = none
  readonly taxRate: Figure; // one tax for all lines, in percent; empty = there are `taxes`, or the tax is an amount
  readonly taxes: readonly EditedTax[];
  readonly discount: Figure; // an amount; empty = none
  readonly notes: string;
  readonly terms: string; // empty = those of the business
  readonly paymentUrl: string; // empty = that of the business
}

/** A budget as it is being edited: an immutable value. */
export interface EditedBudget {
  readonly head: Head;
  readonly lines: readonly Line[];
}

export function withHead(budget: EditedBudget, changes: Partial<Head>): EditedBudget {
  return { ...budget, head: { ...budget.head, ...changes } };
}

/** Whether the prices contain all taxes that they can contain. */
export function pricesContainTaxes({ taxes }: Head): boolean {
  const contained = taxes.filter(({ kind }) => kind === "tax");
  return contained.length > 0 && contained.every(({ inclusive }) => inclusive);
}

const ONE_TAX = "tax";

/** A rate for all lines becomes a named tax: a rate alone is never contained in prices. */
export function withContainedTaxes(budget: EditedBudget, inclusive: boolean, taxName: string): EditedBudget {
  const { taxes, taxRate } = budget.head;
  if (taxes.length > 0) {
    return withHead(budget, { taxes: taxes.map((tax) => (tax.kind === "tax" ? { ...tax, inclusive } : tax)) });
  }
  if (taxRate === "" || taxRate === "0") return budget;
  const one: EditedTax = { id: ONE_TAX, name: taxName, rate: taxRate, kind: "tax", inclusive, on: [] };
  return withHead(budget, { taxes: [one], taxRate: "" });
}

/** Other taxes of the budget: lines lose those that it has no more. */
export function withTaxes(budget: EditedBudget, taxes: readonly EditedTax[]): EditedBudget {
  const ids = new Set(taxes.map(({ id }) => id));
  const kept = taxes.map((tax) => ({ ...tax, on: tax.on.filter((id) => ids.has(id)) }));
  const lines = budget.lines.map((line) =>
    line.taxes === null ? line : { ...line, taxes: taxes.length === 0 ? null : line.taxes.filter((id) => ids.has(id)) },
  );
  return { head: { ...budget.head, taxes: kept, taxRate: kept.length > 0 ? "" : budget.head.taxRate || "0" }, lines };
}

/**
 * Other taxes of one line, from those of the budget and of the business. A tax that the budget had not is added to it;
 * lines that have all taxes of the budget keep the ones that they had.
 */
export function withLineTaxes(
  budget: EditedBudget,
  key: string,
  ids: readonly string[],
  known: readonly EditedTax[],
): EditedBudget {
  const { taxes } = budget.head;
  const added = known.filter(({ id }) => ids.includes(id) && !taxes.some((tax) => tax.id === id));
  const former = taxes.map(({ id }) => id);
  const all = [...taxes, ...added];
  const lines = budget.lines.map((line) => {
    if (line.key === key) return { ...line, taxes: ids.length === all.length ? null : ids };
    return line.kind === "item" && line.taxes === null && added.length > 0 ? { ...line, taxes: former } : line;
  });
  const head = added.length === 0 ? budget.head : { ...budget.head, taxes: all, taxRate: "" };
  return { head, lines };
}
