import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { endOf, startOf, type WireDate } from "../kernel/dates.js";
import { hostId, pageQuery, queryFlag, queryNumber, SIZES, wireDate } from "../kernel/fields.js";
import { paginationOf } from "../kernel/page.js";
import { invalid, notFound, type Problem } from "../kernel/problem.js";
import { foldForSearch } from "../kernel/search-text.js";
import { BUDGET_STATUSES } from "./budget.js";
import type { BudgetContext } from "./budget-context.js";
import { BUDGET_SORTS, type BudgetQuery, type ListPosition } from "./budget-store.js";
import { type BudgetList, type BudgetView, listEntryOf, singleReadOf } from "./budget-view.js";
import { expireOverdue, expireOverdueOf, isOverdue } from "./expire-budgets.js";
import { decodeListCursor, encodeListCursor } from "./list-cursor.js";
import { customerAndProductsOf, customersOf } from "./summaries.js";
import { timeZoneFor } from "./validity.js";

const LISTED_STATUSES = BUDGET_STATUSES.filter((status) => status !== "DELETED");

/** Query parameters of a list, as text. Source: contract, List budgets. */
export const listBudgetsSchema = z.object({
  ...pageQuery,
  status: z.enum(LISTED_STATUSES).optional(),
  customerId: hostId.optional(),
  search: z.string().min(1).max(SIZES.search).optional(),
  minTotal: queryNumber.optional(),
  maxTotal: queryNumber.optional(),
  createdAfter: wireDate.optional(),
  createdBefore: wireDate.optional(),
  sort: z.enum(BUDGET_SORTS).default("createdAt"),
  order: z.enum(["asc", "desc"]).default("desc"),
  includeDeleted: queryFlag,
  cursor: z.string().max(512).optional().describe("The nextCursor of the page before; page beside it is ignored."),
});
export type ListBudgetsInput = z.output<typeof listBudgetsSchema>;

/**
 * One budget with its customer, phone included, and its items' products. One that has become overdue is expired first.
 * Errors: not-found, for a deleted one and for another business's too.
 */
export async function getBudget(
  context: BudgetContext,
  actor: Actor,
  id: string,
  now: Instant = context.clock.now(),
): Promise<Result<BudgetView, Problem>> {
  let budget = await context.store.findBudget(actor.businessId, id);
  if (budget !== null && isOverdue(budget, now)) {
    await expireOverdue(context, budget, now);
    budget = await context.store.findBudget(actor.businessId, id);
  }
  if (budget === null || budget.deletion !== null) return err(notFound("budget", id));
  return ok(singleReadOf(budget, await customerAndProductsOf(context, budget)));
}

/**
 * One page of the business's budgets. Whatever is overdue is expired first, so that no PENDING one is past its date.
 * Errors: 400 for a cursor of another order.
 */
export async function listBudgets(
  context: BudgetContext,
  actor: Actor,
  input: ListBudgetsInput,
  now: Instant = context.clock.now(),
): Promise<Result<BudgetList, Problem>> {
  const cursor = input.cursor === undefined ? null : decodeListCursor(input.cursor, input);
  if (input.cursor !== undefined && cursor === null) {
    return err(invalid("cursor", "INVALID_VALUE", "must be the nextCursor of a list with the same sort and order"));
  }
  const page = cursor?.page ?? input.page;
  const position: ListPosition =
    cursor === null ? { kind: "offset", offset: (page - 1) * input.limit } : { kind: "after", key: cursor.key };
  await expireOverdueOf(context, actor.businessId, now);
  const query = await queryOf(context, actor.businessId, input, position);
  const found = await context.store.listBudgets(actor.businessId, query);
  const summaries = await customersOf(context, actor.businessId, found.entries);
  const nextCursor = found.nextCursor === null ? null : encodeListCursor(found.nextCursor, page + 1, input);
  return ok({
    data: found.entries.map((budget) => listEntryOf(budget, summaries)),
    pagination: { ...paginationOf({ page, limit: input.limit }, found), nextCursor },
  });
}

async function queryOf(
  context: BudgetContext,
  businessId: string,
  input: ListBudgetsInput,
  position: ListPosition,
): Promise<BudgetQuery> {
  const momentOf = async (date: WireDate | undefined, read: typeof startOf) =>
    date === undefined ? null : read(date, await timeZoneFor(context, businessId, date));
  return {
    status: input.status ?? null,
    includeDeleted: input.includeDeleted,
    customerId: input.customerId ?? null,
    search: input.search === undefined ? null : foldForSearch(input.search),
    minTotal: input.minTotal ?? null,
    maxTotal: input.maxTotal ?? null,
    createdAfter: await momentOf(input.createdAfter, startOf),
    createdBefore: await momentOf(input.createdBefore, endOf),
    sort: input.sort,
    order: input.order,
    limit: input.limit,
    position,
  };
}
