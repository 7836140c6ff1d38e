import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { byId } from "../kernel/arrays.js";
import type { BudgetView } from "./budget-view.js";
import { itemExtras, itemKind, unpricedLines } from "./line-view.js";

const ITEM_FIELDS = [
  "productId",
  "variantId",
  "packageId",
  "description",
  "quantity",
  "unitPrice",
  "unit",
  "discountRate",
  "discountAmount",
  "taxes",
  "optional",
  "selected",
  "choice",
  "quantityRange",
  "priceTiers",
  "recurring",
  "key",
  "minimum",
  "maximum",
  "gross",
  "total",
  "discount",
  "tax",
] as const;

/** Null = absent. */
export const changedValue = z.union([
  z.string(),
  z.number(),
  z.null(),
  z.boolean(),
  z.array(z.unknown()),
  z.record(z.string(), z.unknown()),
]);
type ChangedValue = z.infer<typeof changedValue>;
const position = z.int().min(0); // in the new list

const itemContent = z
  .object({
    /** Absent: a line without a kind is an item. */
    kind: itemKind,
    /** Id of the product. */
    productId: z.string().optional(),
    /** Id of the variant of the product. */
    variantId: z.string().optional(),
    /** Id of the package. */
    packageId: z.string().optional(),
    /** What is offered. */
    description: z.string(),
    /** How many units. */
    quantity: z.number(),
    /** Price of one unit, in the currency's major unit. */
    unitPrice: z.number(),
    ...itemExtras,
    /** quantity × unitPrice less the item's own discount, in the currency's major unit. */
    total: z.number(),
    /** Amount of discount, in the currency's major unit. */
    discount: z.number(),
    /** Amount of tax, in the currency's major unit. */
    tax: z.number(),
  })
  .meta({ id: "RevisionItem" });

const lineContent = z.union([itemContent, ...unpricedLines]);

/** The differences of items, which are matched by their ids. */
export const itemChangeSchemas = [
  z.object({
    /** An item is gone. */
    kind: z.literal("item-removed"),
    /** Id of the item. */
    id: z.string(),
    /** The item as it was. */
    item: lineContent,
  }),
  z.object({
    /** An item has other values. */
    kind: z.literal("item-changed"),
    /** Id of the item. */
    id: z.string(),
    /** The fields of the item that differ. */
    fields: z.array(
      z.object({
        /** Name of the field. */
        field: z.enum(ITEM_FIELDS),
        /** Null = absent. */
        before: changedValue,
        /** Null = absent. */
        after: changedValue,
      }),
    ),
  }),
  z
    .object({
      /** The items that both have are in another order. */
      kind: z.literal("items-reordered"),
      /** Ids in the order before. */
      before: z.array(z.string()),
      /** Ids in the order after. */
      after: z.array(z.string()),
    })
    .describe("The ids of the items that both have, in either order."),
  z.object({
    /** An item is new. */
    kind: z.literal("item-added"),
    /** Id of the item. */
    id: z.string(),
    /** Index in the new list, from 0. */
    position,
    /** The item. */
    item: lineContent,
  }),
] as const;

export type ItemDifference = z.infer<(typeof itemChangeSchemas)[number]>;
type Item = BudgetView["items"][number];

/** The differences of the items, in an order in which they can be applied. */
export function itemChanges(before: readonly Item[], after: readonly Item[]): ItemDifference[] {
  const former = byId(before);
  const remaining = new Set(after.map((item) => item.id));
  const changes: ItemDifference[] = before
    .filter(({ id }) => !remaining.has(id))
    .map((item) => ({ kind: "item-removed", id: item.id, item: contentOf(item) }));
  const added: ItemDifference[] = [];
  for (const [index, item] of after.entries()) {
    const earlier = former.get(item.id);
    if (earlier === undefined) {
      added.push({ kind: "item-added", id: item.id, position: index, item: contentOf(item) });
      continue;
    }
    const fields = fieldChanges(earlier, item);
    if (fields.length > 0) changes.push({ kind: "item-changed", id: item.id, fields });
  }
  return [...changes, ...reordering(before, after, remaining, former), ...added];
}

type ItemFields = { readonly [Field in (typeof ITEM_FIELDS)[number]]?: ChangedValue | undefined };

function fieldChanges(before: ItemFields, after: ItemFields) {
  return ITEM_FIELDS.filter((field) => !isDeepStrictEqual(before[field], after[field])).map((field) => ({
    field,
    before: before[field] ?? null,
    after: after[field] ?? null,
  }));
}

/** The order of the items that both revisions have, if it differs. */
function reordering(
  before: readonly Item[],
  after: readonly Item[],
  remaining: ReadonlySet<string>,
  former: ReadonlyMap<string, Item>,
): ItemDifference[] {
  const kept = before.map(({ id }) => id).filter((id) => remaining.has(id));
  const wanted = after.map(({ id }) => id).filter((id) => former.has(id));
  const isSame = kept.every((id, index) => id === wanted[index]);
  return isSame ? [] : [{ kind: "items-reordered", before: kept, after: wanted }];
}

/** An item without its id, without the present state of the catalog and without what customers never see. */
function contentOf(line: Item): z.infer<typeof lineContent> {
  if (line.kind !== undefined) {
    const { id: _, ...content } = line;
    return content;
  }
  const { id: _id, product: _product, unitCost: _internal, ...content } = line;
  return content;
}
