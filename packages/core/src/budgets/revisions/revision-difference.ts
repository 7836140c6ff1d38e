import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { BudgetView } from "../budget-view.js";
import { changedValue, itemChangeSchemas, itemChanges } from "../item-changes.js";

/** The offer and its figures. Status and metadata are not part of a revision. */
const FIELDS = [
  "taxRate",
  "taxes",
  "deposit",
  "validUntil",
  "notes",
  "terms",
  "paymentUrl",
  "subtotal",
  "discount",
  "tax",
  "total",
  "withheld",
  "payable",
  "recurring",
] as const;

/** One difference. */
const changeSchema = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("field"), field: z.enum(FIELDS), before: changedValue, after: changedValue }),
    ...itemChangeSchemas,
  ])
  .meta({ id: "RevisionChange" });
export type RevisionChange = z.infer<typeof changeSchema>;

export const revisionDifferenceSchema = z
  .object({ from: z.int(), to: z.int(), changes: z.array(changeSchema) })
  .meta({ id: "RevisionDifference" });
export type RevisionDifference = z.infer<typeof revisionDifferenceSchema>;

export type Comparable = Pick<BudgetView, "revision" | "items" | (typeof FIELDS)[number]>;

/**
 * The changes from one revision to another, in an order in which they can be applied: fields, removed items, changed
 * items, the order of the remaining items, and new items by ascending position.
 */
export function differenceOf(from: Comparable, to: Comparable): RevisionDifference {
  return {
    from: from.revision,
    to: to.revision,
    changes: [
      ...FIELDS.filter((field) => !isDeepStrictEqual(from[field], to[field])).map(
        (field): RevisionChange => ({ kind: "field", field, before: from[field] ?? null, after: to[field] ?? null }),
      ),
      ...itemChanges(from.items, to.items),
    ],
  };
}
