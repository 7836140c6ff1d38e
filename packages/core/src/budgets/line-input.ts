import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { at } from "../kernel/arrays.js";
import { amount, description, hostId, quantity, SIZES, taxRate, unitPrice } from "../kernel/fields.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { crossFieldCheck } from "../kernel/validation.js";
import { optionalMinorAmount } from "../pricing/given-totals.js";
import type { LineDiscount } from "../pricing/line-discount.js";
import { unit } from "../pricing/line-fields.js";
import type { LineKind } from "../pricing/line-kind.js";
import type { ItemDraft } from "./items.js";
import { type ConfigurationInput, configurationOf, configure, isConfigured } from "./line-configuration.js";
import { choiceFields, itemConfiguration } from "./price-fields.js";
import { type ItemReference, namesOffer } from "./references/references.js";

/** A part of an item's amount. */
export const discountRate = taxRate.describe(
  "A fraction of quantity × unitPrice: 0.1 is 10 %. Not with discountAmount.",
);
export const discountAmount = amount.describe("In the currency's major unit. Not with discountRate.");

const onlyOfItems = z.never({ error: "Only a line of the kind item has this." }).optional();

/** The fields that only items have. */
const itemFields = {
  /** Only of items. */
  productId: onlyOfItems,
  /** Only of items. */
  variantId: onlyOfItems,
  /** Only of items. */
  packageId: onlyOfItems,
  /** Only of items. */
  quantity: onlyOfItems,
  /** Only of items. */
  unitPrice: onlyOfItems,
  /** Only of items. */
  unit: onlyOfItems,
  /** Only of items. */
  discountRate: onlyOfItems,
  /** Only of items. */
  discountAmount: onlyOfItems,
  /** Only of items. */
  taxes: onlyOfItems,
  /** Only of items. */
  optional: onlyOfItems,
  /** Only of items. */
  selected: onlyOfItems,
  /** Only of items. */
  choice: onlyOfItems,
  /** Only of items. */
  quantityRange: onlyOfItems,
  /** Only of items. */
  priceTiers: onlyOfItems,
  /** Only of items. */
  recurring: onlyOfItems,
  /** Only of items. */
  unitCost: onlyOfItems,
};

/** The names of the fields that only items have. */
const ITEM_FIELDS = z.object(itemFields).keyof().options;

/** The names of the fields that only choices have. */
const CHOICE_FIELDS = z.object(choiceFields).keyof().options;

/** The names of the fields that a line of this kind cannot have. */
export function foreignFieldsOf(
  kind: LineKind,
): readonly ((typeof ITEM_FIELDS)[number] | (typeof CHOICE_FIELDS)[number])[] {
  if (kind === "item") return CHOICE_FIELDS;
  return kind === "choice" ? ITEM_FIELDS : [...ITEM_FIELDS, ...CHOICE_FIELDS];
}

interface Unpriced extends ItemReference {
  readonly unitPrice?: unknown;
  readonly priceTiers?: unknown;
}

/**
 * A check of a schema: reports a missing price, unless there are tiers, as the schema of a required price would. A line
 * that names a product or package may have its price.
 */
const requirePrice = crossFieldCheck<Unpriced>(({ value, issues }) => {
  if (value.unitPrice !== undefined || value.priceTiers != null || namesOffer(value)) return;
  if (issues.some(({ path }) => path?.[0] === "unitPrice")) return;
  issues.push({ code: "invalid_type", expected: "number", input: undefined, path: ["unitPrice"] });
});

const createItemSchema = z
  .object({
    /** Absent = an item. */
    kind: z.literal("item").optional(),
    /** Id of the product; none = a custom item. */
    productId: hostId.nullish(),
    /** Id of the variant of the product. */
    variantId: hostId.nullish(),
    /** Id of the package. */
    packageId: hostId.nullish(),
    /** What is offered. */
    description,
    /** How many units, with up to 6 decimals. */
    quantity,
    /** Price of one unit, in the currency's major unit. Default: that of the product or package. Beside priceTiers, of quantities below the first. */
    unitPrice: unitPrice.optional(),
    /** The unit of the quantity: hours, m². */
    unit: unit.nullish(),
    /** Discount of this item: a fraction of quantity × unitPrice. */
    discountRate: discountRate.nullish(),
    /** Discount of this item, in the currency's major unit. */
    discountAmount: discountAmount.nullish(),
    ...itemConfiguration,
    /** Checked against the computed amount where given, in the currency's major unit. */
    total: amount.optional(),
  })
  .check(requirePrice)
  .describe("One line of a budget; without productId it is a custom item.")
  .meta({ id: "CreateBudgetItem" });

const createTextLineSchema = z
  .object({
    /** A heading begins a section; a text explains. */
    kind: z.enum(["heading", "text"]),
    /** The text of the line. */
    description,
    ...itemFields,
    /** Only of items and subtotals. */
    total: onlyOfItems,
  })
  .describe("A line without a price: a heading, or a text.")
  .meta({ id: "CreateBudgetTextLine" });

const createSubtotalSchema = z
  .object({
    /** Sums the items since the previous heading or subtotal. */
    kind: z.literal("subtotal"),
    /** The text of the line. */
    description: description.optional(),
    ...itemFields,
    /** Checked against the computed amount where given, in the currency's major unit. */
    total: amount.optional(),
  })
  .describe("The sum of the items since the previous heading or subtotal.")
  .meta({ id: "CreateBudgetSubtotal" });

const createChoiceSchema = z
  .object({
    /** A group of items of which the customer selects some. */
    kind: z.literal("choice"),
    /** What is chosen. */
    description,
    ...choiceFields,
    ...itemFields,
    /** Only of items and subtotals. */
    total: onlyOfItems,
  })
  .describe("A group of items of which the customer selects some: those that name its key.")
  .meta({ id: "CreateBudgetChoice" });

/** A line of a new budget. */
export const createLineSchema = z.discriminatedUnion("kind", [
  createItemSchema,
  createTextLineSchema,
  createSubtotalSchema,
  createChoiceSchema,
]);

const CONTINUED = "Id of a line of the budget that is continued; absent = new.";

/** Where the line continues one of a stored budget. */
const continuing = {
  /** Id of a line of the budget that is continued; absent = new. */
  id: z.string().max(SIZES.id).optional().describe(CONTINUED),
};

/** A line of a budget that is not saved yet. */
export const unsavedLineSchema = z.discriminatedUnion("kind", [
  createItemSchema.safeExtend(continuing).meta({ id: "UnsavedItem" }),
  createTextLineSchema.safeExtend(continuing).meta({ id: "UnsavedTextLine" }),
  createSubtotalSchema.safeExtend(continuing).meta({ id: "UnsavedSubtotal" }),
  createChoiceSchema.safeExtend(continuing).meta({ id: "UnsavedChoice" }),
]);

/** The discount of an item as a request has it: an amount in the major unit. Null or absent = none. */
export interface DiscountInput {
  readonly discountRate?: number | null | undefined;
  readonly discountAmount?: number | null | undefined;
}

/** A line of a request, after its schema. Only items have quantity and price. */
export interface LineInput extends ItemReference, DiscountInput, ConfigurationInput {
  readonly kind?: LineKind | undefined;
  readonly description?: string | undefined;
  readonly quantity?: number | undefined;
  readonly unitPrice?: number | undefined;
  readonly unit?: string | null | undefined;
}

/** Whether the catalog alone can have the price of the line. */
export function lacksPrice(line: LineInput): boolean {
  return namesOffer(line) && line.unitPrice === undefined && (line.priceTiers ?? null) === null;
}

/** The lines before they are priced. Errors: those of {@link draftOf}. */
export function draftsOf(lines: readonly LineInput[], currency: string): Result<ItemDraft[], Problem> {
  const drafts: ItemDraft[] = [];
  for (const line of lines) {
    const draft = draftOf(line, drafts.length, currency);
    if (draft.isErr()) return err(draft.error);
    drafts.push(draft.value);
  }
  return ok(drafts);
}

/** One line before it is priced. Errors: those of {@link discountOf} and of configure. */
export function draftOf(line: LineInput, index: number, currency: string): Result<ItemDraft, Problem> {
  const { kind, productId, variantId, packageId, description = "", quantity = 0, unitPrice } = line;
  if (unitPrice !== undefined && isPlain(line)) {
    return ok({ productId, variantId, packageId, description, quantity, unitPrice }); // V8 reads a copy more slowly
  }
  const configured = configure({ kind, quantity, unitPrice }, configurationOf(line), index);
  if (configured.isErr()) return err(configured.error);
  return discountOf(line, index, currency).map((discount) => ({
    productId,
    variantId,
    packageId,
    description,
    quantity,
    kind,
    unit: line.unit ?? undefined,
    ...discount,
    ...configured.value,
  }));
}

/** The drafts with the snapshots of the packages that they name. Both lists have the same indexes. */
export function withPackages(
  drafts: readonly ItemDraft[],
  packed: readonly Pick<ItemDraft, "package">[],
): readonly ItemDraft[] {
  if (packed.every((item) => item.package === undefined)) return drafts;
  return drafts.map((draft, index) => ({ ...draft, package: at(packed, index).package }));
}

/** Most lines: an item without a unit and a discount of its own. */
function isPlain(line: LineInput): boolean {
  const { kind, unit, discountRate, discountAmount } = line;
  return (
    kind === undefined &&
    unit === undefined &&
    discountRate === undefined &&
    discountAmount === undefined &&
    !isConfigured(line)
  );
}

/**
 * The discount of an item in minor units.
 * Errors: DISCOUNT_RATE_AND_AMOUNT; 400 INVALID_FORMAT for more decimals than the currency has; AMOUNT_TOO_LARGE.
 */
export function discountOf(
  { discountRate, discountAmount }: DiscountInput,
  index: number,
  currency: string,
): Result<LineDiscount, Problem> {
  const rate = discountRate ?? undefined;
  const given = discountAmount ?? undefined;
  if (rate !== undefined && given !== undefined) return err(rateAndAmount(index));
  return optionalMinorAmount(`items[${index}].discountAmount`, given, currency).map((minor) => ({
    discountRate: rate,
    discountAmount: minor ?? undefined,
  }));
}

function rateAndAmount(index: number): Problem {
  const message = "An item has a discountRate or a discountAmount, not both.";
  return brokenRule("DISCOUNT_RATE_AND_AMOUNT", message, { field: `items[${index}]` });
}
