import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../../kernel/actor.js";
import { toTimestamp } from "../../kernel/clock.js";
import { paginationSchema, timestampView } from "../../kernel/fields.js";
import { type PageRequest, paginationOf } from "../../kernel/page.js";
import type { Problem } from "../../kernel/problem.js";
import type { BudgetContext } from "../budget-context.js";
import { findBudget } from "../lifecycle/find-budget.js";
import { VIEW_DEVICES } from "../link-view-store.js";

export const linkViewListSchema = z.object({
  /** The entries of this page, newest first. */
  data: z.array(
    z
      .object({
        /** ISO 8601, in UTC. */
        viewedAt: timestampView,
        /** The kind of device, as its browser names itself. */
        device: z.enum(VIEW_DEVICES).describe("The kind of device, as its browser names itself."),
      })
      .meta({ id: "LinkView" }),
  ),
  /** Which page this is, and how many there are. */
  pagination: paginationSchema,
});
type LinkViewList = z.infer<typeof linkViewListSchema>;

/** The newest views of the link of a budget, at most 100. Errors: those of findBudget. */
export async function listLinkViews(
  context: BudgetContext,
  { businessId }: Actor,
  budgetId: string,
  request: PageRequest,
): Promise<Result<LinkViewList, Problem>> {
  const budget = await findBudget(context, businessId, budgetId);
  if (budget.isErr()) return err(budget.error);
  const { page, limit } = request;
  const found = await context.store.listViewings(businessId, budgetId, limit, (page - 1) * limit);
  const data = found.entries.map(({ at, device }) => ({ viewedAt: toTimestamp(at), device }));
  return ok({ data, pagination: paginationOf(request, found) });
}
