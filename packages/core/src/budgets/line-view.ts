import { z } from "zod";
import { fromMinor } from "../kernel/money.js";
import { priceTiersView, recurringView } from "../pricing/line-fields.js";
import type { BudgetItem } from "./budget.js";
import { isConfigured, type LineConfiguration } from "./line-configuration.js";

/** The fields of an item that are shown only where they are set. */
export const itemExtras = {
  /** The unit of the quantity: hours, m². */
  unit: z.string().optional().describe("The unit of the quantity: hours, m²."),
  /** Discount of this item: a fraction of quantity × unitPrice. `total` is after it. */
  discountRate: z.number().optional().describe("Discount of this item: a fraction of quantity × unitPrice."),
  /** Discount of this item, in the currency's major unit. `total` is after it. */
  discountAmount: z.number().optional().describe("Discount of this item, in the currency's major unit."),
  /** quantity × unitPrice less the item's own discount, with the taxes that the price contains. */
  gross: z
    .number()
    .optional()
    .describe(
      "quantity × unitPrice less the item's own discount, with the taxes that the price contains; absent = it contains none.",
    ),
  /** Ids of the taxes of the line. Absent = all of the budget, empty = none. */
  taxes: z
    .array(z.string())
    .optional()
    .describe("Ids of the taxes of the line. Absent = all of the budget, empty = none."),
  /** True = it counts only if selected. */
  optional: z.literal(true).optional().describe("True = it counts only if selected."),
  /** Whether an optional line, or an option of a choice, counts. Absent = it always does. */
  selected: z
    .boolean()
    .optional()
    .describe("Whether an optional line, or an option of a choice, counts. Absent = it always does."),
  /** Key of the choice of which the line is an option. */
  choice: z.string().optional().describe("Key of the choice of which the line is an option."),
  /** The customer may set the quantity within it. */
  quantityRange: z
    .object({
      /** The smallest quantity. */
      minimum: z.number(),
      /** The largest quantity. */
      maximum: z.number(),
      /** The distance of two quantities. */
      step: z.number(),
    })
    .optional()
    .describe("The customer may set the quantity within it."),
  /** The price of a unit by quantity; `unitPrice` is the one that applies. */
  priceTiers: priceTiersView
    .optional()
    .describe("The price of a unit by quantity; `unitPrice` is the one that applies."),
  /** Charged again each cycle; absent = charged once. */
  recurring: recurringView.optional().describe("Charged again each cycle; absent = charged once."),
};

/** The field of an item that customers never see. */
export const internalExtras = {
  /** What a unit costs the business. */
  unitCost: z.number().optional().describe("What a unit costs the business. Customers never see it."),
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

const choiceLine = z.object({
  /** A group of items of which the customer selects some. */
  kind: z.literal("choice"),
  /** The items that name it are its options. */
  key: z.string(),
  /** What is chosen. */
  description: z.string(),
  /** How many options are selected at least. */
  minimum: z.int(),
  /** How many options are selected at most. */
  maximum: z.int(),
});

const CHOICE = "A group of items of which the customer selects some: those that name its key.";

/** The lines without a price, where lines have no ids. */
export const unpricedLines = [
  textLine.meta({ id: "TextLine", description: "A line without a price: a heading, or a text." }),
  subtotalLine.meta({
    id: "SubtotalLine",
    description: "The sum of the items' totals since the previous heading or subtotal.",
  }),
  choiceLine.meta({ id: "ChoiceLine", description: CHOICE }),
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
  z.object({ ...id, ...choiceLine.shape }).meta({ id: "BudgetChoice", description: CHOICE }),
] as const;

/** The line as clients see it, without an id; null = the line is an item. */
export function unpricedLineOf(line: Unpriced, currency: string): UnpricedLine | null {
  const { kind, description, total } = line;
  if (kind === undefined) return null;
  if (kind === "choice") {
    const { key = "", minimum = 1, maximum = 1 } = line;
    return { kind, key, description, minimum, maximum };
  }
  if (kind !== "subtotal") return { kind, description };
  const sum = fromMinor(total, currency);
  return description === "" ? { kind, total: sum } : { kind, description, total: sum };
}

type Unpriced = Pick<BudgetItem, "kind" | "description" | "total" | "key" | "minimum" | "maximum">;

/** The fields of a stored item that only some items have. */
type Extras = Pick<BudgetItem, "unit" | "discountRate" | "discountAmount" | "gross"> & LineConfiguration;

/** Adds the fields that are set to the view of an item, in place: most items have none. Internal fields are left out. */
export function withExtras<View extends object>(view: View, item: Extras, currency: string): View & ExtrasView {
  const { unit, discountRate, discountAmount, gross } = item;
  const isConfiguredItem = isConfigured(item);
  if (
    unit === undefined &&
    discountRate === undefined &&
    discountAmount === undefined &&
    gross === undefined &&
    !isConfiguredItem
  ) {
    return view;
  }
  return Object.assign(view, {
    ...(unit === undefined ? {} : { unit }),
    ...(discountRate === undefined ? {} : { discountRate }),
    ...(discountAmount === undefined ? {} : { discountAmount: fromMinor(discountAmount, currency) }),
    ...(gross === undefined ? {} : { gross: fromMinor(gross, currency) }),
    ...(isConfiguredItem ? configurationView(item) : {}),
  });
}

/** Adds what a unit costs the business: for its own callers alone. */
export function withCost<View extends object>(
  view: View,
  { unitCost }: LineConfiguration,
): View & { unitCost?: number } {
  return unitCost === undefined ? view : Object.assign(view, { unitCost });
}

function configurationView(item: LineConfiguration): ConfigurationView {
  const { taxes, optional, selected, choice, quantityRange, priceTiers, recurring } = item;
  return {
    ...(taxes === undefined ? {} : { taxes: [...taxes] }),
    ...(optional === undefined ? {} : { optional }),
    ...(selected === undefined ? {} : { selected }),
    ...(choice === undefined ? {} : { choice }),
    ...(quantityRange === undefined ? {} : { quantityRange: { ...quantityRange } }),
    ...(priceTiers === undefined ? {} : { priceTiers: priceTiers.map((tier) => ({ ...tier })) }),
    ...(recurring === undefined ? {} : { recurring: { ...recurring } }),
  };
}

const extrasObject = z.object(itemExtras);
type ExtrasView = z.infer<typeof extrasObject>;
type ConfigurationView = Omit<ExtrasView, "unit" | "discountRate" | "discountAmount" | "gross">;
