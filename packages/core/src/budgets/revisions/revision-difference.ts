import { z } from "zod";
import { byId } from "../../kernel/arrays.js";
import type { BudgetView } from "../budget-view.js";
import { itemExtras, itemKind, unpricedLines } from "../line-view.js";

/** The offer and its figures. Status and metadata are not part of a revision. */
const FIELDS = ["taxRate", "validUntil", "notes", "terms", "subtotal", "discount", "tax", "total"] as const;

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
  "total",
  "discount",
  "tax",
] as const;

const value = z.union([z.string(), z.number(), z.null()]); // null = absent
const position = z.int().min(0); // in the list of `to`

const itemContent = z
  .object({
    kind: itemKind,
    productId: z.string().optional(),
    variantId: z.string().optional(),
    packageId: z.string().optional(),
    description: z.string(),
    quantity: z.number(),
    unitPrice: z.number(),
    ...itemExtras,
    total: z.number(),
    discount: z.number(),
    tax: z.number(),
  })
  .meta({ id: "RevisionItem" });

const lineContent = z.union([itemContent, ...unpricedLines]);

/** One difference. Items are matched by their ids. */
const changeSchema = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("field"), field: z.enum(FIELDS), before: value, after: value }),
    z.object({ kind: z.literal("item-removed"), id: z.string(), item: lineContent }),
    z.object({
      kind: z.literal("item-changed"),
      id: z.string(),
      fields: z.array(z.object({ field: z.enum(ITEM_FIELDS), before: value, after: value })),
    }),
    z
      .object({ kind: z.literal("items-reordered"), before: z.array(z.string()), after: z.array(z.string()) })
      .describe("The ids of the items that both have, in either order."),
    z.object({ kind: z.literal("item-added"), id: z.string(), position, item: lineContent }),
  ])
  .meta({ id: "RevisionChange" });
export type RevisionChange = z.infer<typeof changeSchema>;

export const revisionDifferenceSchema = z
  .object({ from: z.int(), to: z.int(), changes: z.array(changeSchema) })
  .meta({ id: "RevisionDifference" });
export type RevisionDifference = z.infer<typeof revisionDifferenceSchema>;

export type Comparable = Pick<BudgetView, "revision" | "items" | (typeof FIELDS)[number]>;
type Item = Comparable["items"][number];

/**
 * The changes from one revision to another, in an order in which they can be applied: fields, removed items, changed
 * items, the order of the remaining items, and new items by ascending position.
 */
export function differenceOf(from: Comparable, to: Comparable): RevisionDifference {
  return {
    from: from.revision,
    to: to.revision,
    changes: [
      ...FIELDS.filter((field) => from[field] !== to[field]).map(
        (field): RevisionChange => ({ kind: "field", field, before: from[field] ?? null, after: to[field] ?? null }),
      ),
      ...itemChanges(from.items, to.items),
    ],
  };
}

function itemChanges(before: readonly Item[], after: readonly Item[]): RevisionChange[] {
  const former = byId(before);
  const remaining = new Set(after.map((item) => item.id));
  const changes: RevisionChange[] = before
    .filter(({ id }) => !remaining.has(id))
    .map((item) => ({ kind: "item-removed", id: item.id, item: contentOf(item) }));
  const added: RevisionChange[] = [];
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

type ItemFields = { readonly [Field in (typeof ITEM_FIELDS)[number]]?: string | number | undefined };

function fieldChanges(before: ItemFields, after: ItemFields) {
  return ITEM_FIELDS.filter((field) => before[field] !== after[field]).map((field) => ({
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
): RevisionChange[] {
  const kept = before.map(({ id }) => id).filter((id) => remaining.has(id));
  const wanted = after.map(({ id }) => id).filter((id) => former.has(id));
  const isSame = kept.every((id, index) => id === wanted[index]);
  return isSame ? [] : [{ kind: "items-reordered", before: kept, after: wanted }];
}

/** An item without its id and without the present state of the catalog. */
function contentOf(line: Item): z.infer<typeof lineContent> {
  if (line.kind !== undefined) {
    const { id: _, ...content } = line;
    return content;
  }
  const { id: _id, product: _product, ...content } = line;
  return content;
}
