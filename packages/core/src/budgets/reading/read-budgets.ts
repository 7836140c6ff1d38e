import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { endOf, startOf, timeZoneFor, type WireDate } from "../../kernel/dates.js";
import { hostId, pageQuery, queryFlag, queryNumber, SIZES, wireDate } from "../../kernel/fields.js";
import { foldForSearch } from "../../kernel/fold-for-search.js";
import { mapInTurns } from "../../kernel/in-turns.js";
import { cursorPaginationOf, pageStartOf } from "../../kernel/list-query.js";
import { notFound, type Problem } from "../../kernel/problem.js";
import { BUDGET_STATUSES, type Budget } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";
import { BUDGET_SORTS, type BudgetQuery, type ListPosition, type NamedBudget } from "../budget-store.js";
import { type BudgetList, type BudgetView, listEntryOf, singleReadOf, withViews } from "../budget-view.js";
import type { ViewSum } from "../link-view-store.js";
import { asOf } from "../overdue.js";
import { customersOf, summariesIn } from "../references/summaries.js";
import { decodeListCursor } from "./list-order.js";

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
 * One budget with its customer, phone included, and the products of its items. An overdue one is EXPIRED.
 * Errors: not-found, also for a deleted budget and for one of another business.
 */
export async function getBudget(
  context: BudgetContext,
  actor: Actor,
  id: string,
  now: Instant = context.clock.now(),
): Promise<Result<BudgetView, Problem>> {
  const shown = await findBudgetToShow(context, actor, id);
  return shown.map(({ found, views }) => budgetReadOf(found, actor, now, views));
}

/** A budget and the views of its link; undefined = none. */
interface ShownBudget {
  readonly found: NamedBudget;
  readonly views: ViewSum | undefined;
}

/** What {@link getBudget} shows. Errors: as there. */
export async function findBudgetToShow(
  { store }: Pick<BudgetContext, "store">,
  { businessId }: Actor,
  id: string,
): Promise<Result<ShownBudget, Problem>> {
  const [found, views] = await Promise.all([store.findNamedBudget(businessId, id), store.sumViews(businessId, [id])]);
  if (found === null || found.budget.deletion !== null) return err(notFound("budget", id));
  return ok({ found, views: views.get(id) });
}

export function budgetReadOf(found: NamedBudget, actor: Actor, now: Instant, views: ViewSum | undefined): BudgetView {
  return withViews(singleReadOf(asOf(found.budget, now), summariesIn(found), actor), views);
}

/**
 * A budget as a read answers it, without the actions, which depend on the caller, and without what only the business sees:
 * it goes to endpoints. Null = deleted or unknown.
 */
export async function replayedBudget(
  context: BudgetContext,
  businessId: string,
  id: string,
): Promise<ReplayedBudget | null> {
  const view = (await getBudget(context, { kind: "system", businessId }, id)).unwrapOr(null);
  if (view === null) return null;
  const { availableActions: _, cost: _cost, margin: _margin, views: _views, ...budget } = view;
  return { ...budget, items: budget.items.map(withoutCost) };
}

type ReplayedBudget = Omit<BudgetView, "availableActions" | "cost" | "margin" | "views">;

function withoutCost(line: BudgetView["items"][number]): BudgetView["items"][number] {
  if (line.kind !== undefined || line.unitCost === undefined) return line;
  const { unitCost: _internal, ...others } = line;
  return others;
}

/**
 * One page of the budgets of the business. Overdue ones are EXPIRED, in the filter and the order too.
 * Errors: 400 for a cursor of another order.
 */
export async function listBudgets(
  context: BudgetContext,
  actor: Actor,
  input: ListBudgetsInput,
  now: Instant = context.clock.now(),
): Promise<Result<BudgetList, Problem>> {
  const start = pageStartOf(input, (cursor) => decodeListCursor(cursor, input));
  if (start.isErr()) return err(start.error);
  const { page, position } = start.value;
  const query = await queryOf(context, actor.businessId, input, position, now);
  const found = await context.store.listBudgets(actor.businessId, query);
  const [summaries, views] = await Promise.all([
    customersOf(context, actor.businessId, found.entries),
    context.store.sumViews(
      actor.businessId,
      found.entries.map(({ id }) => id),
    ),
  ]);
  const entryOf = (budget: Budget) => withViews(listEntryOf(budget, summaries, actor), views.get(budget.id));
  const data = await mapInTurns(found.entries, entryOf, weightOf);
  return ok({ data, pagination: cursorPaginationOf(page, input, found) });
}

/** Characters of an item beside its description. */
const ITEM_CHARACTERS = 150;

/** The approximate length of a budget's entry: its items are most of it. */
function weightOf({ items }: Budget): number {
  return items.reduce((sum, { description }) => sum + ITEM_CHARACTERS + description.length, 0);
}

async function queryOf(
  context: BudgetContext,
  businessId: string,
  input: ListBudgetsInput,
  position: ListPosition,
  now: Instant,
): Promise<BudgetQuery> {
  const momentOf = async (date: WireDate | undefined, read: typeof startOf) =>
    date === undefined ? null : read(date, await timeZoneFor(context, businessId, date));
  return {
    now,
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
