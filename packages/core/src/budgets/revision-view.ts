import { z } from "zod";
import { toTimestamp } from "../kernel/clock.js";
import { paginationSchema, timestampView } from "../kernel/fields.js";
import { fromMinor } from "../kernel/money.js";
import { BUDGET_STATUSES, type Budget } from "./budget.js";
import type { RevisionEntry } from "./budget-store.js";
import { budgetViewOf, budgetViewSchema, type Summaries } from "./budget-view.js";

const mark = {
  revisedAt: timestampView, // of the first revision: when the budget was made
  revisedBy: z.string(),
  changes: z.array(z.string()), // the fields that differ from the revision before
};

/** A revision in a list. Version and status are the last that the budget had at this revision. */
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
export type RevisionEntryView = z.infer<typeof revisionEntrySchema>;

export const revisionListSchema = z.object({ data: z.array(revisionEntrySchema), pagination: paginationSchema });
export type RevisionList = z.infer<typeof revisionListSchema>;

/** A revision by itself: the budget as it last was at it. What may be done now is the budget's to tell. */
export const revisionViewSchema = budgetViewSchema
  .omit({ availableActions: true })
  .extend(mark)
  .meta({ id: "Revision" });
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

export function revisionViewOf(budget: Budget, summaries: Summaries): RevisionView {
  const { availableActions: _, ...content } = budgetViewOf(budget, summaries);
  return { ...content, ...markOf(budget) };
}

function markOf({ revised }: RevisionEntry) {
  return { revisedAt: toTimestamp(revised.at), revisedBy: revised.by, changes: [...revised.changes] };
}
