import { z } from "zod";
import { paginationSchema, timestampView } from "../kernel/fields.js";
import { BUDGET_STATUSES } from "./budget.js";
import { budgetViewSchema } from "./budget-view-schema.js";

const mark = {
  revisedAt: timestampView, // of the first revision: when the budget was made
  revisedBy: z.string(),
  changes: z.array(z.string()), // the fields that differ from the revision before
};

/** A revision in a list. Version and status are the last that the budget had at this revision. */
export const revisionEntrySchema = z
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

/** A revision by itself: the budget as it last was at it. What may be done now is the budget's to tell. */
export const revisionViewSchema = budgetViewSchema
  .omit({ availableActions: true })
  .extend(mark)
  .meta({ id: "Revision" });
