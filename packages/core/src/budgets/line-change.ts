import { z } from "zod";
import { description, hostId, quantity, SIZES, unitPrice } from "../kernel/fields.js";
import { unit } from "../pricing/line-fields.js";
import { LINE_KINDS } from "../pricing/line-kind.js";
import { discountAmount, discountRate, foreignFieldsOf, type LineInput } from "./line-input.js";
import { choiceFields, itemConfiguration } from "./price-fields.js";
import { namesOffer } from "./references/references.js";
import type { ItemChange } from "./reprice.js";

/** A line with an id is one of the budget, and changes the given fields. A line without an id is new, with all fields. */
export const updateLineSchema = z
  .object({
    /** Id of a line of the budget; none = a new line. */
    id: z.string().max(SIZES.id).optional(),
    /** Of a new line; absent = an item. A line keeps its kind. */
    kind: z.enum(LINE_KINDS).optional(),
    /** Id of the product. */
    productId: hostId.nullish(),
    /** Id of the variant of the product. */
    variantId: hostId.nullish(),
    /** Id of the package. */
    packageId: hostId.nullish(),
    /** What is offered. */
    description: description.optional(),
    /** How many units, with up to 6 decimals. */
    quantity: quantity.optional(),
    /** Price of one unit, in the currency's major unit. */
    unitPrice: unitPrice.optional(),
    /** The unit of the quantity; null removes it. */
    unit: unit.nullish(),
    /** Discount of this item: a fraction of quantity × unitPrice; null removes it. */
    discountRate: discountRate.nullish(),
    /** Discount of this item, in the currency's major unit; null removes it. */
    discountAmount: discountAmount.nullish(),
    ...itemConfiguration,
    /** Key of a choice. */
    key: choiceFields.key.optional(),
    /** Of a choice: how many options are selected at least. */
    minimum: choiceFields.minimum,
    /** Of a choice: how many options are selected at most. */
    maximum: choiceFields.maximum,
  })
  .transform(({ id, ...fields }, context): ItemChange => {
    if (id !== undefined) return { id, fields };
    const { kind = "item" } = fields;
    for (const field of REQUIRED[kind]) {
      if (fields[field] !== undefined || (field === "unitPrice" && mayHavePrice(fields))) continue;
      context.addIssue({
        code: "custom",
        path: [field],
        message: "This field is required.",
        params: { code: "REQUIRED" },
      });
    }
    for (const field of foreignFieldsOf(kind)) {
      if (!isGiven(fields[field])) continue;
      context.addIssue({ code: "custom", path: [field], message: ONLY_OF_OTHERS, params: { code: "INVALID_TYPE" } });
    }
    return { id: null, fields };
  })
  .meta({ id: "UpdateBudgetItem" });

const ONLY_OF_OTHERS = "Only a line of another kind has this.";

/** Without a unitPrice: by tiers, or by the catalog. */
function mayHavePrice(fields: LineInput): boolean {
  return isGiven(fields.priceTiers) || namesOffer(fields);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The fields that a new line needs, by its kind. */
const REQUIRED = {
  item: ["description", "quantity", "unitPrice"],
  heading: ["description"],
  text: ["description"],
  subtotal: [],
  choice: ["description", "key"],
} as const;
