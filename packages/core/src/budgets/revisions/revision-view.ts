import { z } from "zod";
import type { Actor } from "../../kernel/actor.js";
import { toTimestamp } from "../../kernel/clock.js";
import { paginationSchema, timestampView } from "../../kernel/fields.js";
import { fromMinor } from "../../kernel/money.js";
import { BUDGET_STATUSES, type Budget } from "../budget.js";
import type { RevisionEntry } from "../budget-store.js";
import { budgetViewOf, budgetViewSchema, type Summaries } from "../budget-view.js";

const mark = {
  revisedAt: timestampView, // of the first revision: when the budget was created
  revisedBy: z.string(),
  changes: z.array(z.string()), // the fields that differ from the revision before
};

/** A revision in a list. Version and status are the last ones of the budget at this revision. */
const revisionEntrySchema = z
  .object({
    revision: z.int(),
    version: z.int(),
    status: z.enum(BUDGET_STATUSES),
    currency: z.string(),
    subtotal: z.number(),
    discount: z.number(),
    tax: z.number(),
    total: z.number(),
    ...mark,
  })
  .meta({ id: "RevisionEntry" });

export const revisionListSchema = z.object({ data: z.array(revisionEntrySchema), pagination: paginationSchema });

/** A single revision: the last state of the budget at it. Available actions belong to the budget alone. */
export const revisionViewSchema = budgetViewSchema
  .omit({ availableActions: true })
  .extend(mark)
  .meta({ id: "Revision" });

export type RevisionEntryView = z.infer<typeof revisionEntrySchema>;
export type RevisionList = z.infer<typeof revisionListSchema>;
export type RevisionView = z.infer<typeof revisionViewSchema>;

export function revisionEntryViewOf(entry: RevisionEntry): RevisionEntryView {
  const { revision, version, status, currency } = entry;
  return {
    revision,
    version,
    status,
    currency,
    subtotal: fromMinor(entry.subtotal, currency),
    discount: fromMinor(entry.discount, currency),
    tax: fromMinor(entry.tax, currency),
    total: fromMinor(entry.total, currency),
    ...markOf(entry),
  };
}

export function revisionViewOf(budget: Budget, summaries: Summaries, actor: Actor): RevisionView {
  const { availableActions: _, ...content } = budgetViewOf(budget, summaries, actor);
  return { ...content, ...markOf(budget) };
}

function markOf({ revised }: RevisionEntry) {
  return { revisedAt: toTimestamp(revised.at), revisedBy: revised.by, changes: [...revised.changes] };
}
