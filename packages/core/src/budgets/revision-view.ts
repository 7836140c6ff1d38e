import type { z } from "zod";
import { toTimestamp } from "../kernel/clock.js";
import { fromMinor } from "../kernel/money.js";
import type { Budget } from "./budget.js";
import type { RevisionEntry } from "./budget-store.js";
import { budgetViewOf, type Summaries } from "./budget-view.js";
import type { revisionEntrySchema, revisionListSchema, revisionViewSchema } from "./revision-view-schema.js";
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

export function revisionViewOf(budget: Budget, summaries: Summaries): RevisionView {
  const { availableActions: _, ...content } = budgetViewOf(budget, summaries);
  return { ...content, ...markOf(budget) };
}

function markOf({ revised }: RevisionEntry) {
  return { revisedAt: toTimestamp(revised.at), revisedBy: revised.by, changes: [...revised.changes] };
}
