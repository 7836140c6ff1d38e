import { z } from "zod";
import { fromMinor } from "../kernel/money.js";
import type { BudgetItem } from "./budget.js";

/** The fields of an item that are shown only where they are set. */
export const itemExtras = {
  /** The unit of the quantity: hours, m². */
  unit: z.string().optional().describe("The unit of the quantity: hours, m²."),
  /** Discount of this item: a fraction of quantity × unitPrice. `total` is after it. */
  discountRate: z.number().optional().describe("Discount of this item: a fraction of quantity × unitPrice."),
  /** Discount of this item, in the currency's major unit. `total` is after it. */
  discountAmount: z.number().optional().describe("Discount of this item, in the currency's major unit."),
};

/** What distinguishes an item among the lines. */
export const itemKind = z.never().optional().describe("Absent: a line without a kind is an item.");

const textLine = z.object({
  /** A heading begins a section; a text explains. */
  kind: z.enum(["heading", "text"]),
  /** The text of the line. */
  description: z.string(),
});

const subtotalLine = z.object({
  /** Sums the items since the previous heading or subtotal. */
  kind: z.literal("subtotal"),
  /** The text of the line; absent = none. */
  description: z.string().optional(),
  /** The sum of the items' totals since the previous heading or subtotal, in the currency's major unit. */
  total: z.number(),
});

/** The lines without a price, where lines have no ids. */
export const unpricedLines = [
  textLine.meta({ id: "TextLine", description: "A line without a price: a heading, or a text." }),
  subtotalLine.meta({
    id: "SubtotalLine",
    description: "The sum of the items' totals since the previous heading or subtotal.",
  }),
] as const;
export type UnpricedLine = z.infer<(typeof unpricedLines)[number]>;

const id = {
  /** Assigned by the service. */
  id: z.string(),
};

/** The lines of a budget without a price. */
export const identifiedLines = [
  z.object({ ...id, ...textLine.shape }).meta({
    id: "BudgetTextLine",
    description: "A line without a price: a heading, or a text.",
  }),
  z.object({ ...id, ...subtotalLine.shape }).meta({
    id: "BudgetSubtotal",
    description: "The sum of the items' totals since the previous heading or subtotal.",
  }),
] as const;

/** The fields of a stored line that only some lines have. */
type Extras = Pick<BudgetItem, "unit" | "discountRate" | "discountAmount">;

/** The line as clients see it, without an id; null = the line is an item. */
export function unpricedLineOf(
  { kind, description, total }: Pick<BudgetItem, "kind" | "description" | "total">,
  currency: string,
): UnpricedLine | null {
  if (kind === undefined) return null;
  if (kind !== "subtotal") return { kind, description };
  const sum = fromMinor(total, currency);
  return description === "" ? { kind, total: sum } : { kind, description, total: sum };
}

/** Adds the fields that are set to the view of an item, in place: most items have none. */
export function withExtras<View extends object>(view: View, item: Extras, currency: string): View & ExtrasView {
  const { unit, discountRate, discountAmount } = item;
  if (unit === undefined && discountRate === undefined && discountAmount === undefined) return view;
  return Object.assign(view, {
    ...(unit === undefined ? {} : { unit }),
    ...(discountRate === undefined ? {} : { discountRate }),
    ...(discountAmount === undefined ? {} : { discountAmount: fromMinor(discountAmount, currency) }),
  });
}

interface ExtrasView {
  unit?: string;
  discountRate?: number;
  discountAmount?: number;
}
