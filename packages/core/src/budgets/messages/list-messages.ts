import { err, ok, type Result } from "neverthrow";
import type { Actor } from "../../kernel/actor.js";
import { type PageRequest, paginationOf } from "../../kernel/page.js";
import { notFound, type Problem } from "../../kernel/problem.js";
import type { Budget } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";
import { findBudget } from "../lifecycle/find-budget.js";
import { readThread } from "../message-thread.js";
import { type MessageList, messageViewOf, type PublicMessageList, publicMessageOf } from "../message-view.js";
import { findByToken } from "../offer/public-token.js";

/** The messages of a budget with the customer's requests for changes, newest first. Errors: those of findBudget. */
export async function listMessages(
  context: BudgetContext,
  { businessId }: Actor,
  budgetId: string,
  request: PageRequest,
): Promise<Result<MessageList, Problem>> {
  const budget = await findBudget(context, businessId, budgetId);
  if (budget.isErr()) return err(budget.error);
  const { page, business } = await readPage(context, budget.value, request);
  const data = page.entries.map((entry) => messageViewOf(entry, budgetId, business));
  return ok({ data, pagination: paginationOf(request, page) });
}

/** The same for the customer. Errors: not-found, as for the page of the link. */
export async function listLinkMessages(
  context: BudgetContext,
  token: string,
  request: PageRequest,
): Promise<Result<PublicMessageList, Problem>> {
  const budget = await findByToken(context, token);
  if (budget === null) return err(notFound("publicLink", ""));
  const { page, business } = await readPage(context, budget, request);
  const data = page.entries.map((entry) => publicMessageOf(entry, business));
  return ok({ data, pagination: paginationOf(request, page) });
}

async function readPage({ store, findBusiness }: BudgetContext, budget: Budget, { page, limit }: PageRequest) {
  const [found, seller] = await Promise.all([
    readThread(store, budget, limit, (page - 1) * limit),
    findBusiness(budget.businessId),
  ]);
  return { page: found, business: seller?.name ?? null };
}
